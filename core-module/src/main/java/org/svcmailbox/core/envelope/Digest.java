package org.svcmailbox.core.envelope;

import java.util.Arrays;
import java.util.HexFormat;

/** A BLAKE3-256 digest: 32 bytes, written {@code b3:} and 64 lower-case hex digits. */
public final class Digest {
  /** Bytes of a digest. */
  public static final int BYTES = 32;

  /** What the text form begins with. */
  public static final String PREFIX = "b3:";

  /** Thirty-two zero bytes: the link before a ledger's first entry. */
  public static final Digest ZERO = new Digest(new byte[BYTES]);

  private final byte[] bytes;

  private Digest(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A digest of the given 32 bytes, copied. */
  public static Digest ofBytes(byte[] bytes) {
    return owning(bytes.clone());
  }

  /** A digest of the given 32 bytes, which the caller gives up. */
  static Digest owning(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a digest has 32 bytes, not " + bytes.length);
    }
    return new Digest(bytes);
  }

  /** Reads the text form. */
  public static Digest parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("a digest begins with " + PREFIX);
    }
    return owning(HexFormat.of().parseHex(text, PREFIX.length(), text.length()));
  }

  /** The 32 bytes, copied. */
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
