package org.svcmailbox.client.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.svcmailbox.client.MailboxClock;

/** A clock on which every wait is over at once: it notes the wait, and moves to its end. */
final class RecordingClock implements MailboxClock {
  private final List<Duration> waits = new ArrayList<>();
  private long nanos;

  @Override
  public synchronized Instant now() {
    return Instant.EPOCH.plusNanos(nanos);
  }

  @Override
  public synchronized long nanoTime() {
    return nanos;
  }

  @Override
  public synchronized void await(Lock held, Condition condition, long deadline) {
    waits.add(Duration.ofNanos(deadline - nanos));
    nanos = deadline;
  }

  /** How long each wait would have been, in order. */
  synchronized List<Duration> waits() {
    return List.copyOf(waits);
  }
}
