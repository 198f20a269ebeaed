package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.Verification.Why;

class CapabilityVerifierTest {
  private static final byte[] NONCE = new byte[CapabilityId.NONCE_BYTES];
  private static final RootKey FIRST = RootKey.of("canary-first".getBytes(UTF_8));
  private static final RootKey SECOND = RootKey.of("canary-second".getBytes(UTF_8));

  private final Set<CapabilityId> revoked = new HashSet<>();
  private final List<CapabilityId> asked = new ArrayList<>();
  private final RootKeys before = new RootKeys(Map.of("k1", FIRST), "k1");
  private final RootKeys after = new RootKeys(Map.of("k1", FIRST, "k2", SECOND), "k2");

  private Verification verify(RootKeys keys, String token) {
    Revocations revocations =
        id -> {
          asked.add(id);
          return revoked.contains(id);
        };
    return new CapabilityVerifier(keys, revocations).verify(token);
  }

  @Test
  void whatWasMintedHereIsACapabilityAlsoWhenNarrowed() {
    Macaroon minted = before.mint(NONCE);
    for (Macaroon each : List.of(minted, minted.narrowedBy("ops = send"))) {
      Genuine genuine = assertInstanceOf(Genuine.class, verify(before, each.token()));
      assertEquals(CapabilityId.of("k1", NONCE), genuine.capability().id());
    }
  }

  @Test
  void afterARotationBothKeysAreGood() {
    assertInstanceOf(Genuine.class, verify(after, before.mint(NONCE).token()));
    Genuine fresh = assertInstanceOf(Genuine.class, verify(after, after.mint(NONCE).token()));
    assertEquals("k2", fresh.capability().id().keyId());
  }

  @Test
  void aKeyThatIsGoneIsUnknown() {
    RootKeys onlySecond = new RootKeys(Map.of("k2", SECOND), "k2");
    assertEquals(new Refused(Why.UNKNOWN_KEY), verify(onlySecond, before.mint(NONCE).token()));
  }

  @Test
  void anotherKeyUnderTheSameIdIsForged() {
    RootKeys other = new RootKeys(Map.of("k1", SECOND), "k1");
    assertEquals(new Refused(Why.FORGED), verify(other, before.mint(NONCE).token()));
  }

  @Test
  void aRevocationReachesEverythingNarrowedFromIt() {
    Macaroon minted = before.mint(NONCE);
    revoked.add(CapabilityId.of("k1", NONCE));
    assertEquals(new Refused(Why.REVOKED), verify(before, minted.token()));
    assertEquals(new Refused(Why.REVOKED), verify(before, minted.narrowedBy("ops = send").token()));
  }

  @Test
  void nobodyLearnsOfRevocationsByForging() {
    Macaroon narrowed = before.mint(NONCE).narrowedBy("ops = send");
    Macaroon forged =
        new Macaroon("mailbox", narrowed.identifier(), List.of(), narrowed.signature());
    assertEquals(new Refused(Why.FORGED), verify(before, forged.token()));
    assertEquals(List.of(), asked);
  }

  @Test
  void whatIsNoMacaroonOfThisServiceIsMalformed() {
    Macaroon foreign = Macaroon.mint(FIRST, "elsewhere", "an id".getBytes(UTF_8));
    for (String token : List.of("", "x", "AgEH", foreign.token(), before.mint(NONCE) + "=")) {
      assertEquals(new Refused(Why.MALFORMED), verify(before, token));
    }
  }

  @Test
  void keysAreNotShown() {
    assertFalse(after.toString().contains("canary"));
    assertThrows(IllegalArgumentException.class, () -> new RootKeys(Map.of("k1", FIRST), "k2"));
  }
}
