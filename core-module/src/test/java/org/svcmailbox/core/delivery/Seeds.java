package org.svcmailbox.core.delivery;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What random programs begin with. */
final class Seeds {
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
}
