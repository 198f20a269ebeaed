package org.svcmailbox.core.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What random programs begin with. */
final class Seeds {
  private static final int MOST_FIXED = 100;

  private Seeds() {}

  /**
   * The one that {@code -Dmailbox.seed} gives; otherwise 1 up to {@code fixed}, and a fresh one.
   */
  static Stream<Long> upTo(int fixed) {
    Long given = Long.getLong("mailbox.seed");
    return given != null
        ? Stream.of(given)
        : LongStream.concat(LongStream.rangeClosed(1, fixed), LongStream.of(System.nanoTime()))
            .boxed();
  }

  /**
   * Fails when a program has not met everything that it is there for; one of a fresh seed may have
   * been dull.
   */
  static void requireMet(long seed, boolean everything, String met) {
    assertTrue(everything || seed > MOST_FIXED, "nothing of interest: " + met);
  }
}
