package org.svcmailbox.core.capability;

/** The bytes that a root key is derived from, on their way to where they are kept. Never shown. */
public final class RootSecret {
  private final byte[] bytes;

  /** Takes the bytes over. */
  public RootSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The bytes, which are not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "RootSecret[secret]";
  }
}
