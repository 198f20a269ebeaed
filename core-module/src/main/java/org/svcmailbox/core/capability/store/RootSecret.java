package org.svcmailbox.core.capability.store;

/** The bytes that a root key is derived from. Never shown. */
public final class RootSecret {
  private final byte[] bytes;

  /** Keeps the array without copying. */
  public RootSecret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Not a copy: do not modify. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "RootSecret[secret]";
  }
}
