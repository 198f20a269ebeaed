package org.svcmailbox.core.supervision;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A body that alternates turns and sleep. */
public final class Turns implements Supervision.Body {
  private final LongSupplier turn;
  private volatile boolean ending;
  private volatile @Nullable Thread thread;

  /**
   * @param turn does what is due; returns the nanoseconds until the next turn
   */
  public Turns(LongSupplier turn) {
    this.turn = turn;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    while (!ending && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, turn.getAsLong());
    }
  }

  /** Ends the current or the next sleep. Any thread. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void end() {
    ending = true;
    wake();
  }
}
