package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.Verification.Why;

class CapabilityVerifierTest {
  private static final CapabilityId FIRST_ID = id("k1");
  private static final RootKey FIRST = RootKey.of("canary-first".getBytes(UTF_8));
  private static final RootKey SECOND = RootKey.of("canary-second".getBytes(UTF_8));

  private final RootKeys before = new RootKeys(Map.of("k1", FIRST), "k1");
  private final RootKeys after = new RootKeys(Map.of("k1", FIRST, "k2", SECOND), "k2");

  private static CapabilityId id(String keyId) {
    return CapabilityId.of(keyId, new byte[CapabilityId.NONCE_BYTES]);
  }

  private static Verification verify(RootKeys keys, String token) {
    return new CapabilityVerifier(keys::find).verify(token);
  }

  @Test
  void whatWasMintedHereIsACapabilityAlsoWhenNarrowed() {
    Macaroon minted = before.mint(FIRST_ID);
    for (Macaroon each : List.of(minted, minted.narrowedBy("ops = send"))) {
      Genuine genuine = assertInstanceOf(Genuine.class, verify(before, each.token()));
      assertEquals(FIRST_ID, genuine.capability().id());
    }
  }

  @Test
  void afterARotationBothKeysAreGood() {
    assertInstanceOf(Genuine.class, verify(after, before.mint(FIRST_ID).token()));
    Genuine fresh = assertInstanceOf(Genuine.class, verify(after, after.mint(id("k2")).token()));
    assertEquals("k2", fresh.capability().id().keyId());
  }

  @Test
  void aKeyThatIsGoneIsUnknown() {
    RootKeys onlySecond = new RootKeys(Map.of("k2", SECOND), "k2");
    assertEquals(new Refused(Why.UNKNOWN_KEY), verify(onlySecond, before.mint(FIRST_ID).token()));
  }

  @Test
  void anotherKeyUnderTheSameIdIsForged() {
    RootKeys other = new RootKeys(Map.of("k1", SECOND), "k1");
    assertEquals(new Refused(Why.FORGED), verify(other, before.mint(FIRST_ID).token()));
  }

  @Test
  void whatIsNoMacaroonOfThisServiceIsMalformed() {
    Macaroon foreign = Macaroon.mint(FIRST, "elsewhere", "an id".getBytes(UTF_8));
    for (String token : List.of("", "x", "AgEH", foreign.token(), before.mint(FIRST_ID) + "=")) {
      assertEquals(new Refused(Why.MALFORMED), verify(before, token));
    }
  }

  @Test
  void keysAreNotShown() {
    assertFalse(after.toString().contains("canary"));
    assertThrows(IllegalArgumentException.class, () -> new RootKeys(Map.of("k1", FIRST), "k2"));
  }
}
