package org.svcmailbox.core.envelope;

import java.util.Arrays;

/**
 * A message's bytes. Whoever makes one gives the array up; whoever reads one does not write it, but
 * for the one that ends its use.
 */
public final class Payload {
  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A payload of {@code bytes}, which are not copied: the caller gives them up. */
  public static Payload owning(byte[] bytes) {
    return new Payload(bytes);
  }

  /** The bytes themselves, not a copy: for reading only. */
  public byte[] bytes() {
    return bytes;
  }

  /** Overwrites the bytes: nobody reads them any more. */
  public void wipe() {
    Arrays.fill(bytes, (byte) 0);
  }

  /** How many bytes. */
  public int size() {
    return bytes.length;
  }

  /** The BLAKE3-256 of the bytes. */
  public Digest hash() {
    return Blake3.of(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The size only: payloads never reach a log. */
  @Override
  public String toString() {
    return "Payload[" + bytes.length + " bytes]";
  }
}
