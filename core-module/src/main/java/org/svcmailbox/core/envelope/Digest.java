package org.svcmailbox.core.envelope;

import java.util.Arrays;
import java.util.HexFormat;

/** A BLAKE3-256 digest, written as {@code b3:} and 64 lower-case hex digits. */
public final class Digest {
  public static final int BYTES = 32;

  public static final String PREFIX = "b3:";

  /** The link before a ledger's first entry. */
  public static final Digest ZERO = new Digest(new byte[BYTES]);

  private final byte[] bytes;

  private Digest(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Digest ofBytes(byte[] bytes) {
    return owning(bytes.clone());
  }

  /** Keeps the array without copying. */
  static Digest owning(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a digest has 32 bytes, not " + bytes.length);
    }
    return new Digest(bytes);
  }

  public static Digest parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("a digest begins with " + PREFIX);
    }
    return owning(HexFormat.of().parseHex(text, PREFIX.length(), text.length()));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  void update(Blake3 hash) {
    hash.bytes(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Digest that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return PREFIX + HexFormat.of().formatHex(bytes);
  }
}
