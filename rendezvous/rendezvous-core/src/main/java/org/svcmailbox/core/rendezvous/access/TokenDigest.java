package org.svcmailbox.core.rendezvous.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

final class TokenDigest {
  private static final int TOKEN_BYTES = 32;
  private static final int ID_BYTES = 8;

  private TokenDigest() {}

  static byte[] of(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Makes a token of 256 random bits. */
  static String newToken(SecureRandom random) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(random, TOKEN_BYTES));
  }

  static String newId(SecureRandom random) {
    return HexFormat.of().formatHex(bytes(random, ID_BYTES));
  }

  private static byte[] bytes(SecureRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
