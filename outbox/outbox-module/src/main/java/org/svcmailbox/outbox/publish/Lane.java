package org.svcmailbox.outbox.publish;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A sixteenth of all aggregates, by the first hexadecimal digit of the MD5 of the aggregate's name.
 * Publishers claim lanes, so the events of one aggregate have one publisher at a time. SQL computes
 * the same digit.
 */
public final class Lane {
  /** How many there are. */
  public static final int COUNT = 16;

  /** The values of {@link Place#slot}. */
  static final int SLOTS = 1 << 16;

  private Lane() {}

  /**
   * The place of an aggregate.
   *
   * @param lane its lane, from 0 to 15
   * @param slot a number among those of its lane; few share it
   */
  record Place(int lane, int slot) {}

  /** The lane of an aggregate, from 0 to 15. */
  public static int of(String aggregate) {
    return place(aggregate).lane();
  }

  static Place place(String aggregate) {
    byte[] digest = digest(aggregate);
    return new Place((digest[0] & 0xff) >> 4, (digest[1] & 0xff) << 8 | (digest[2] & 0xff));
  }

  private static byte[] digest(String aggregate) {
    try {
      return MessageDigest.getInstance("MD5").digest(aggregate.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }
}
