package org.svcmailbox.core.envelope;

import java.nio.charset.StandardCharsets;

/**
 * A BLAKE3-256 computation in which a text follows its UTF-8 length, four bytes big-endian. For one
 * use by one thread.
 */
public final class Blake3 {
  private static final byte[] SEPARATOR = {0};

  private final Blake3Hasher hasher = new Blake3Hasher();

  private Blake3() {}

  /** Begins with the domain's ASCII name and a zero byte. */
  public static Blake3 domain(String name) {
    Blake3 hash = new Blake3();
    hash.bytes(name.getBytes(StandardCharsets.US_ASCII));
    hash.bytes(SEPARATOR);
    return hash;
  }

  /** The digest of bare bytes, without domain or length. */
  public static Digest of(byte[] bytes) {
    Blake3 hash = new Blake3();
    hash.bytes(bytes);
    return hash.finish();
  }

  public Blake3 bytes(byte[] bytes) {
    hasher.update(bytes);
    return this;
  }

  public Blake3 digest(Digest other) {
    other.update(this);
    return this;
  }

  public Blake3 text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return count(utf8.length).bytes(utf8);
  }

  /** Adds a four-byte big-endian number. */
  public Blake3 count(int number) {
    return bytes(
        new byte[] {
          (byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number
        });
  }

  public Digest finish() {
    return Digest.owning(hasher.finish());
  }
}
