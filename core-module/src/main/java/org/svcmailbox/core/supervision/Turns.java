package org.svcmailbox.core.supervision;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A body that does turn after turn, and sleeps in between. */
public final class Turns implements Supervision.Body {
  private final LongSupplier turn;
  private volatile boolean ending;
  private volatile @Nullable Thread thread;

  /**
   * @param turn does what is due; answers after how many nanoseconds the next is due
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

  /** Ends the sleep, or the next one before it begins. Any thread. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void end() {
    ending = true;
    wake();
  }
}
