package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.MalformedCapabilityException;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.capability.store.CapabilityStore.StoredKey;
import org.svcmailbox.core.capability.store.RootSecret;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.SettingsLoader;

/** Nothing that may be logged by mistake reveals a secret. */
class SecretsTest {
  private static final byte[] SECRET = "canary-of-thirty-two-bytes-long!".getBytes(UTF_8);
  private static final RootKey KEY = RootKey.of(SECRET);
  private static final CapabilityId ID = CapabilityId.of("k1", new byte[CapabilityId.NONCE_BYTES]);

  private final Macaroon macaroon =
      Macaroon.mint(KEY, "mailbox", ID.bytes()).narrowedBy("ops = send");
  private final VerifiedCapability capability =
      VerifiedCapability.of(macaroon, ID, KEY).orElseThrow();

  /** Every form in which a secret could show. */
  private List<String> secrets() {
    List<String> secrets = new ArrayList<>(List.of(macaroon.token()));
    for (byte[] bytes : List.of(SECRET, signature())) {
      secrets.add(new String(bytes, UTF_8));
      secrets.add(Arrays.toString(bytes));
      secrets.add(HexFormat.of().formatHex(bytes));
      secrets.add(Base64.getEncoder().encodeToString(bytes));
      secrets.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
    return secrets;
  }

  /** The end of the token. */
  private byte[] signature() {
    byte[] token = Base64.getUrlDecoder().decode(macaroon.token());
    return Arrays.copyOfRange(token, token.length - 32, token.length);
  }

  private void showsNothing(Object... things) {
    for (Object thing : things) {
      String text = thing.toString();
      for (String secret : secrets()) {
        assertFalse(text.contains(secret), () -> thing.getClass() + " shows a secret: " + text);
      }
    }
  }

  @Test
  void whoPresentsACapabilityIsShownWithoutIt() {
    SampleCallers people = new SampleCallers();
    showsNothing(macaroon, capability, people.caller(capability, Nodes.address("192.0.2.1")));
    showsNothing(new Verification.Genuine(capability));
    assertTrue(capability.toString().contains("ops = send"), "what is public is shown");
  }

  @Test
  void whatIsMintedOrRevokedIsShownWithoutItsToken() {
    showsNothing(
        new Minted(macaroon.token(), ID, Instant.EPOCH),
        new Revocation.OfCapability(macaroon.token()));
  }

  @Test
  void keysAreShownByTheirIds() {
    RootSecret secret = new RootSecret(SECRET);
    showsNothing(secret, KEY, new StoredKey("k1", secret, Instant.EPOCH));
    RootKeys keys = new RootKeys(Map.of("k1", KEY), "k1");
    showsNothing(
        keys,
        new Capabilities.Terms(
            Map.of("k1", KEY), Nodes.TTL, Nodes.OUTAGE, 1, 1, new FairShare(100), 1, 1));
    assertTrue(keys.toString().contains("k1"));
  }

  @Test
  void settingsAreShownWithoutTheirKeys() {
    String given = "k1=" + Base64.getEncoder().encodeToString(SECRET);
    Map<String, String> values = Map.of("mailbox.capability.root_keys", given);
    showsNothing(
        SettingsLoader.load(key -> Optional.ofNullable(values.get(key)), values.keySet(), 1));
  }

  @Test
  void whatIsWrongWithATokenIsSaidWithoutIt() {
    for (String token : List.of(macaroon.token() + "=", macaroon.token() + macaroon.token())) {
      try {
        Macaroon.parse(token);
        throw new AssertionError("it was read");
      } catch (MalformedCapabilityException e) {
        showsNothing(e);
      }
    }
    showsNothing(DeniedException.invalid());
  }
}
