package org.svcmailbox.capability;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that mints and verifies capabilities. Never shown. */
public final class RootKey {
  private static final byte[] GENERATOR =
      "macaroons-key-generator".getBytes(StandardCharsets.US_ASCII);
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] derived;

  private RootKey(byte[] derived) {
    this.derived = derived;
  }

  /** Derives the key as all macaroon libraries do; the secret should be 32 random bytes. */
  public static RootKey of(byte[] secret) {
    if (secret.length == 0) {
      throw new IllegalArgumentException("a root key is not empty");
    }
    return new RootKey(hmac(GENERATOR, secret));
  }

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
