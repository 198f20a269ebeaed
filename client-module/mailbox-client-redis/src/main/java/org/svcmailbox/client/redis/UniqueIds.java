package org.svcmailbox.client.redis;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that no other process makes: 64 random bits drawn once, and a count from a random start. This
 * is cheaper than a random number for each id, for which threads would queue.
 */
final class UniqueIds {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String prefix = hex(RANDOM.nextLong());
  private final AtomicLong count = new AtomicLong(RANDOM.nextLong());

  /** 32 lower-case hex digits. */
  String next() {
    return prefix + hex(count.getAndIncrement());
  }

  private static String hex(long value) {
    return HexFormat.of().toHexDigits(value);
  }
}
