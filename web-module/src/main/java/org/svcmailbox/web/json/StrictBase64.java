package org.svcmailbox.web.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Standard base64 (RFC 4648, section 4) in canonical form only. The JDK's decoder accepts missing
 * padding and stray bits in the last quartet, so one payload would have several encodings.
 */
final class StrictBase64 {
  private static final int QUARTET = 4;
  private static final int TRIPLET = 3;

  private StrictBase64() {}

  /**
   * @throws IllegalArgumentException for non-canonical text
   */
  static byte[] decode(String text) {
    if (text.length() % QUARTET != 0) {
      throw new IllegalArgumentException("no padding");
    }
    // ISO-8859-1 maps other characters to '?', which is not in the alphabet.
    byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
    byte[] decoded = Base64.getDecoder().decode(encoded);
    requireCanonicalEnd(encoded, decoded);
    return decoded;
  }

  private static void requireCanonicalEnd(byte[] encoded, byte[] decoded) {
    if (decoded.length % TRIPLET == 0) {
      return;
    }
    int lastTriplet = decoded.length - decoded.length % TRIPLET;
    byte[] again =
        Base64.getEncoder().encode(Arrays.copyOfRange(decoded, lastTriplet, decoded.length));
    int lastQuartet = encoded.length - QUARTET;
    if (!Arrays.equals(again, 0, QUARTET, encoded, lastQuartet, encoded.length)) {
      throw new IllegalArgumentException("stray bits");
    }
  }
}
