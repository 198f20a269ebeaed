package org.svcmailbox.client;

import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The machine's own clock. */
enum SystemClock implements MailboxClock {
  INSTANCE;

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The caller loops; this is one turn of its loop.
  public void await(Lock held, Condition condition, long deadline) throws InterruptedException {
    condition.awaitNanos(deadline - nanoTime());
  }
}
