package org.svcmailbox.bench;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;

/** The payload of every message: 1 KiB that does not compress. */
final class LoadPayload {
  /** Its size. */
  static final int BYTES = 1024;

  /** As it goes into JSON. */
  static final String BASE64 = Base64.getEncoder().encodeToString(bytes());

  private static final byte[] BYTES_OF_ALL = bytes();

  private LoadPayload() {}

  /** A copy of it. */
  static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new Random(1024).nextBytes(bytes);
    return bytes;
  }

  /** One of many that differ. */
  static byte[] bytes(int sender, int number) {
    return ByteBuffer.wrap(BYTES_OF_ALL.clone()).putInt(sender).putInt(number).array();
  }
}
