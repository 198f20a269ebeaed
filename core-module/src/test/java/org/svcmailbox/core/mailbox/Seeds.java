package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The seeds of random programs. */
final class Seeds {
  private static final int MOST_FIXED = 100;

  private Seeds() {}

  /** The seed of {@code -Dmailbox.seed}; otherwise 1 up to {@code fixed}, and a random one. */
  static Stream<Long> upTo(int fixed) {
    Long given = Long.getLong("mailbox.seed");
    return given != null
        ? Stream.of(given)
        : LongStream.concat(LongStream.rangeClosed(1, fixed), LongStream.of(System.nanoTime()))
            .boxed();
  }

  /** Fails when a program missed its intended cases, unless its seed is random. */
  static void requireMet(long seed, boolean everything, String met) {
    assertTrue(everything || seed > MOST_FIXED, "nothing of interest: " + met);
  }
}
