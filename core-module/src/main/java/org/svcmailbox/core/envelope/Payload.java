package org.svcmailbox.core.envelope;

import java.util.Arrays;

/** A message's bytes. The array is shared, not copied: only {@link #wipe} may write to it. */
public final class Payload {
  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Keeps the array without copying. */
  public static Payload owning(byte[] bytes) {
    return new Payload(bytes);
  }

  /** Not a copy: for reading only. */
  public byte[] bytes() {
    return bytes;
  }

  /** Overwrites the bytes; call it only after their last use. */
  public void wipe() {
    Arrays.fill(bytes, (byte) 0);
  }

  public int size() {
    return bytes.length;
  }

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

  /** Shows the size only: payloads never reach a log. */
  @Override
  public String toString() {
    return "Payload[" + bytes.length + " bytes]";
  }
}
