package org.svcmailbox.core.refusal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.rate.Buckets.Limit;

/**
 * Samples log lines that any client can cause: a few for each address, and a limited number in all,
 * so that no client floods the log. Any thread.
 */
final class LogSample {
  /** The most lines of one address within {@link #PERIOD}. */
  static final int OF_ADDRESS = 10;

  /** The most lines of all addresses together. */
  static final int OF_ALL = 100;

  static final Duration PERIOD = Duration.ofMinutes(1);

  /** The most addresses that are told apart. Others get no lines until one of them is forgotten. */
  private static final int MOST = 1_000;

  private static final String ALL = "";

  private final Buckets<String> lines;
  private final AtomicLong unlogged = new AtomicLong();

  /**
   * @param nanos a monotonic clock
   */
  LogSample(LongSupplier nanos) {
    this.lines = new Buckets<>(MOST, nanos);
  }

  /**
   * Empty if the line must not be logged; else how many lines were not logged since the last one.
   */
  Optional<Long> take(String address) {
    List<Limit<String>> limits =
        List.of(new Limit<>(address, OF_ADDRESS, PERIOD), new Limit<>(ALL, OF_ALL, PERIOD));
    if (lines.take(ALL, limits).isPresent()) {
      unlogged.incrementAndGet();
      return Optional.empty();
    }
    return Optional.of(unlogged.getAndSet(0));
  }
}
