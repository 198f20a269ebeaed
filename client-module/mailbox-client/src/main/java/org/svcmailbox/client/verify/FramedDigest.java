package org.svcmailbox.client.verify;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.commons.codec.digest.Blake3;

/**
 * One BLAKE3-256 computation over a domain's name, a zero byte, and fields. A text is framed by its
 * length: four bytes, big-endian, before its UTF-8. One use, one thread.
 */
final class FramedDigest {
  /** Bytes of a digest. */
  static final int BYTES = 32;

  private static final String PREFIX = "b3:";

  private final Blake3 hash = Blake3.initHash();

  FramedDigest(String domain) {
    hash.update(domain.getBytes(StandardCharsets.US_ASCII));
    hash.update(new byte[1]);
  }

  /** The digest of bare bytes, as text. */
  static String of(byte[] bytes) {
    return PREFIX + HexFormat.of().formatHex(Blake3.hash(bytes));
  }

  /**
   * The bytes of a digest's text.
   *
   * @throws IllegalArgumentException if the text is not {@code b3:} and 64 lower-case hex digits
   */
  static byte[] parse(String text) {
    if (!text.matches("b3:[0-9a-f]{64}")) {
      throw new IllegalArgumentException("a digest is b3: and 64 lower-case hex digits");
    }
    return HexFormat.of().parseHex(text, PREFIX.length(), text.length());
  }

  FramedDigest raw(byte[] bytes) {
    hash.update(bytes);
    return this;
  }

  FramedDigest count(int number) {
    return raw(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  FramedDigest text(String field) {
    byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
    return count(utf8.length).raw(utf8);
  }

  /** Ends the computation. */
  String finish() {
    return PREFIX + HexFormat.of().formatHex(hash.doFinalize(BYTES));
  }
}
