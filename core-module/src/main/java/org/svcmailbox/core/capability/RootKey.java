package org.svcmailbox.core.capability;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that capabilities are minted with and verified against. Never shown. */
public final class RootKey {
  private static final byte[] GENERATOR =
      "macaroons-key-generator".getBytes(StandardCharsets.US_ASCII);
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] derived;

  private RootKey(byte[] derived) {
    this.derived = derived;
  }

  /**
   * The key of a secret, as every implementation of macaroons derives it.
   *
   * @param secret at least one byte; 32 random ones are right
   */
  public static RootKey of(byte[] secret) {
    if (secret.length == 0) {
      throw new IllegalArgumentException("a root key is not empty");
    }
    return new RootKey(hmac(GENERATOR, secret));
  }

  /** The first link of a chain. */
  byte[] sign(byte[] identifier) {
    return hmac(derived, identifier);
  }

  /** HMAC-SHA256, which links each caveat to the signature before it. */
  static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "RootKey[secret]";
  }
}
