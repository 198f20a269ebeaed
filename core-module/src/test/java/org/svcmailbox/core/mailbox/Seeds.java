package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The seeds of random programs. */
public final class Seeds {
  private static final int MOST_FIXED = 100;

  private Seeds() {}

  /**
   * The seed of {@code -Dmailbox.seed}; otherwise 1 up to {@code fixed}, and as many random ones as
   * {@code -Dmailbox.programs} says, by default one.
   */
  public static Stream<Long> upTo(int fixed) {
    Long given = Long.getLong("mailbox.seed");
    return given != null
        ? Stream.of(given)
        : LongStream.concat(
                LongStream.rangeClosed(1, fixed),
                ThreadLocalRandom.current()
                    .longs(
                        Integer.getInteger("mailbox.programs", 1), MOST_FIXED + 1, Long.MAX_VALUE))
            .boxed();
  }

  /** Fails when a program missed its intended cases, unless its seed is random. */
  public static void requireMet(long seed, boolean everything, String met) {
    assertTrue(everything || seed > MOST_FIXED, "nothing of interest: " + met);
  }
}
