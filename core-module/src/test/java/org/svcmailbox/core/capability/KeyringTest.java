package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;

class KeyringTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final InMemoryCapabilityStore store = new InMemoryCapabilityStore();

  private Keyring open(Map<String, RootKey> configured) {
    return Keyring.open(configured, store, new SecureRandom(), () -> 0, InstantSource.fixed(NOW));
  }

  private void revoke(String keyId) {
    store.revokeKey(
        keyId, new AuditEntry(NOW, new Actor("k:n", null), "", "capability.revoke_key", keyId, ""));
  }

  /** Nodes with different configurations can cause this. */
  @Test
  void whenTheLastKeyIsRevokedByAnotherNodeThereIsANewOne() {
    Keyring keyring = open(Map.of("configured", RootKey.of("a secret".getBytes(UTF_8))));
    assertEquals("configured", keyring.keys().current());
    revoke("configured");
    String made = keyring.reread().current();
    assertNotEquals("configured", made);
    assertTrue(keyring.find(made).isPresent());
    assertTrue(keyring.find("configured").isPresent(), "what is in flight is still verified");
    assertEquals(made, keyring.reread().current(), "and no other one the next time");
  }
}
