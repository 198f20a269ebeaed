package org.svcmailbox.bench.http;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;

/** The payload of every message: 1 KiB of pseudorandom bytes, which do not compress. */
public final class LoadPayload {
  public static final int BYTES = 1024;

  public static final String BASE64 = Base64.getEncoder().encodeToString(bytes());

  private static final byte[] PATTERN = bytes();

  private LoadPayload() {}

  public static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new Random(1024).nextBytes(bytes);
    return bytes;
  }

  /** A payload that differs for each sender and number. */
  public static byte[] bytes(int sender, int number) {
    return ByteBuffer.wrap(PATTERN.clone()).putInt(sender).putInt(number).array();
  }
}
