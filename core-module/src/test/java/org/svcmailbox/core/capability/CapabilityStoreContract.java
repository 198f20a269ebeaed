package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityStore.StoredKey;

/** What every store of capabilities does; each test begins with an empty one. */
public interface CapabilityStoreContract {
  /** A moment that every database keeps as it is. */
  Instant NOW = Instant.parse("2026-11-20T12:00:00.123Z");

  CapabilityStore store();

  /** The audit as it is on disk, oldest first. */
  List<AuditEntry> audit();

  private static CapabilityId id(String keyId, int number) {
    byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
    nonce[0] = (byte) number;
    return CapabilityId.of(keyId, nonce);
  }

  private static AuditEntry entry(String subject) {
    return entry(subject, NOW);
  }

  private static AuditEntry entry(String subject, Instant at) {
    return new AuditEntry(at, "k1:00", "10.0.0.1", "capability.test", subject, "a note");
  }

  private static StoredKey key(String id, String secret, Instant at) {
    return new StoredKey(id, new RootSecret(secret.getBytes(UTF_8)), at);
  }

  @Test
  default void keysComeBackAsTheyWereMadeOldestFirst() {
    store().add(key("b", "one", NOW.plusSeconds(1)), entry("b"));
    store().add(key("a", "two", NOW), entry("a"));
    List<StoredKey> keys = store().keys();
    assertEquals(List.of("b", "a"), keys.stream().map(StoredKey::id).toList());
    assertArrayEquals("one".getBytes(UTF_8), keys.get(0).secret().bytes());
    assertEquals(NOW.plusSeconds(1), keys.get(0).createdAt());
    assertEquals(List.of(entry("b"), entry("a")), audit());
  }

  @Test
  default void aRevokedNonceIsRevokedWithWhateverKey() {
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    assertTrue(store().isRevoked(id("k1", 1)));
    assertTrue(store().isRevoked(id("k2", 1)));
    assertFalse(store().isRevoked(id("k1", 2)));
    assertFalse(store().isKeyRevoked("k1"));
    assertEquals(1, store().revocations());
  }

  @Test
  default void aRevokedKeyTakesAllWithItThatItMinted() {
    store().revokeKey("k1", entry("k1"));
    assertTrue(store().isRevoked(id("k1", 1)));
    assertTrue(store().isKeyRevoked("k1"));
    assertFalse(store().isRevoked(id("k2", 1)));
    assertFalse(store().isKeyRevoked("k2"));
    assertEquals(0, store().revocations());
  }

  @Test
  default void revokingAgainChangesNothingButTheAudit() {
    store().revoke(id("k1", 1).nonce(), null, entry("1"));
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    store().revokeKey("k2", entry("k2"));
    store().revokeKey("k2", entry("k2"));
    assertEquals(1, store().revocations());
    assertEquals(List.of("1", "1", "k2", "k2"), audit().stream().map(AuditEntry::subject).toList());
  }

  @Test
  default void whatIsRevokedWithItsKeyIsNotKeptTwice() {
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    store().revoke(id("k1", 2).nonce(), null, entry("2"));
    store().revoke(id("k2", 3).nonce(), "k2", entry("3"));
    store().revokeKey("k1", entry("k1"));
    assertEquals(2, store().revocations());
    assertTrue(store().isRevoked(id("k1", 1)), "with its key");
    assertTrue(store().isRevoked(id("k9", 2)), "whose key is not known");
    assertTrue(store().isRevoked(id("k2", 3)), "of another key");
  }

  @Test
  default void theOldestOfTheAuditIsPurgedFirst() {
    for (int day = 0; day < 5; day++) {
      store().note(entry("day " + day, NOW.plus(Duration.ofDays(day))));
    }
    Instant before = NOW.plus(Duration.ofDays(3));
    assertEquals(2, store().purgeAudit(before, 2));
    assertEquals(1, store().purgeAudit(before, 2));
    assertEquals(0, store().purgeAudit(before, 2));
    assertEquals(List.of("day 3", "day 4"), audit().stream().map(AuditEntry::subject).toList());
  }
}
