package org.svcmailbox.bench.stream;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The messages of a turn that are not acknowledged yet. Thread-safe. */
final class Acknowledged {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final long begun = System.nanoTime();
  private final AtomicLong left;
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile long ended;

  Acknowledged(long messages) {
    left = new AtomicLong(messages);
  }

  void add(int messages) {
    if (left.addAndGet(-messages) == 0) {
      ended = System.nanoTime();
      done.countDown();
    }
  }

  /**
   * Waits for all and returns the seconds that they took.
   *
   * @throws IllegalStateException if some are missing after minutes
   */
  double seconds() throws InterruptedException {
    if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException(left.get() + " messages are not acknowledged");
    }
    return (ended - begun) / 1e9;
  }

  boolean isDone() {
    return done.getCount() == 0;
  }
}
