package org.svcmailbox.console.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.svcmailbox.console.page.Target;

/**
 * The state of one authorization code flow, stored in a cookie of the browser.
 *
 * @param state the {@code state} parameter that the callback must repeat
 * @param nonce the nonce that the ID token must contain
 * @param verifier the PKCE code verifier
 * @param target where to go after sign-in
 * @param isConfirmation whether the user must sign in at the provider now
 */
record OidcState(
    String state, String nonce, String verifier, Target target, boolean isConfirmation) {
  private static final int RANDOM_BYTES = 32;
  private static final String CONFIRMATION = "confirm";
  private static final String SIGN_IN = "signin";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  static OidcState create(SecureRandom random, Target target, boolean isConfirmation) {
    return new OidcState(text(random), text(random), text(random), target, isConfirmation);
  }

  private static String text(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return BASE64.encodeToString(bytes);
  }

  /** Parses the value written by {@link #cookie}; empty if it is malformed. */
  static Optional<OidcState> of(String cookie) {
    String[] parts = cookie.split("\\.", -1);
    try {
      return parts.length == 5
          ? Optional.of(
              new OidcState(
                  parts[0], parts[1], parts[2], target(parts[3]), CONFIRMATION.equals(parts[4])))
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
    return String.join(
        ".",
        state,
        nonce,
        verifier,
        BASE64.encodeToString(fragment),
        isConfirmation ? CONFIRMATION : SIGN_IN);
  }

  /** The S256 code challenge. */
  String challenge() {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return BASE64.encodeToString(sha256.digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is missing", e);
    }
  }

  /** Compares the callback's state parameter in constant time. */
  boolean isState(String actual) {
    return MessageDigest.isEqual(
        actual.getBytes(StandardCharsets.UTF_8), state.getBytes(StandardCharsets.UTF_8));
  }
}
