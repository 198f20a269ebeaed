package org.svcmailbox.undertow.intake;

import io.undertow.util.WorkerUtils;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/**
 * One timer of one exchange, for a deadline that moves. When it fires, it asks how much time is
 * left, and either continues or ends. So moving the deadline costs a field and no timer. The
 * deadline may only move later.
 */
final class Alarm {
  static final long NEVER = Long.MAX_VALUE;

  private final XnioIoThread thread;
  private final LongSupplier left;
  private final Runnable due;
  private XnioExecutor.@Nullable Key timer;
  private boolean isOver;

  /**
   * Does not run yet.
   *
   * @param thread the thread on which it fires
   * @param left nanoseconds until the deadline, {@link #NEVER} while there is none
   * @param due called at most once, when no time is left
   */
  Alarm(XnioIoThread thread, LongSupplier left, Runnable due) {
    this.thread = thread;
    this.left = left;
    this.due = due;
  }

  /** Starts it if it does not run yet. */
  synchronized void set() {
    if (!isOver && timer == null) {
      timer = after(left.getAsLong());
    }
  }

  private void look() {
    if (isDue()) {
      due.run();
    }
  }

  private synchronized boolean isDue() {
    timer = null;
    long nanos = left.getAsLong();
    if (!isOver && nanos > 0) {
      timer = after(nanos);
      return false;
    }
    boolean isFirst = !isOver;
    isOver = true;
    return isFirst;
  }

  private XnioExecutor.@Nullable Key after(long nanos) {
    return nanos == NEVER
        ? null
        : WorkerUtils.executeAfter(thread, this::look, Math.max(nanos, 0), TimeUnit.NANOSECONDS);
  }

  /** Ends it permanently. */
  synchronized void cancel() {
    isOver = true;
    if (timer != null) {
      timer.remove();
      timer = null;
    }
  }
}
