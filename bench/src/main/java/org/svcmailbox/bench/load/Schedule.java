package org.svcmailbox.bench.load;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Due times at a fixed rate, on the clock of {@link System#nanoTime}. Latencies count from the due
 * time: a stalled server delays every message that became due meanwhile.
 *
 * @param start due time of message 0
 */
public record Schedule(long start, long intervalNanos) {
  public static Schedule from(long start, int perSecond) {
    return new Schedule(start, Duration.ofSeconds(1).toNanos() / perSecond);
  }

  public long due(int number) {
    return start + number * intervalNanos;
  }

  /** Number of messages that are due within a time. */
  int messages(Duration lasting) {
    return Math.toIntExact(lasting.toNanos() / intervalNanos);
  }

  /** Waits until a message is due. */
  public void await(int number) {
    parkUntil(due(number));
  }

  static void parkUntil(long moment) {
    long left;
    while ((left = moment - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
  }
}
