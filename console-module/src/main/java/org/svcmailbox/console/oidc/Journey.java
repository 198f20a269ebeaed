package org.svcmailbox.console.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.svcmailbox.console.page.Target;

/**
 * One way to the provider and back, as the browser carries it in a cookie.
 *
 * @param state what the browser has to bring back
 * @param nonce what the ID token has to have
 * @param verifier what proves that the code was asked for here (PKCE)
 * @param target where the browser wants to be then
 */
record Journey(String state, String nonce, String verifier, Target target) {
  private static final int RANDOM_BYTES = 32;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  static Journey begin(SecureRandom random, Target target) {
    return new Journey(text(random), text(random), text(random), target);
  }

  private static String text(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return BASE64.encodeToString(bytes);
  }

  /** What {@link #cookie} wrote; empty when it is anything else. */
  static Optional<Journey> of(String cookie) {
    String[] parts = cookie.split("\\.", -1);
    try {
      return parts.length == 4
          ? Optional.of(new Journey(parts[0], parts[1], parts[2], target(parts[3])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Target target(String text) {
    return Target.of(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.ISO_8859_1));
  }

  String cookie() {
    byte[] fragment = target.fragment().getBytes(StandardCharsets.ISO_8859_1);
    return String.join(".", state, nonce, verifier, BASE64.encodeToString(fragment));
  }

  /** What the provider is told of the verifier. */
  String challenge() {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return BASE64.encodeToString(sha256.digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Whether this is what the browser was to bring back. */
  boolean isState(String brought) {
    return MessageDigest.isEqual(
        brought.getBytes(StandardCharsets.UTF_8), state.getBytes(StandardCharsets.UTF_8));
  }
}
