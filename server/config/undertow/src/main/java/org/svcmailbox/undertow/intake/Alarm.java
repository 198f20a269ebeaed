package org.svcmailbox.undertow.intake;

import io.undertow.util.WorkerUtils;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/**
 * One timer of one exchange, for a deadline that moves. When it runs out, it asks how much time is
 * left and continues, or goes off. So whatever moves the moment costs a field and no timer. The
 * moment may only move away.
 */
final class Alarm {
  static final long NEVER = Long.MAX_VALUE;

  private final XnioIoThread thread;
  private final LongSupplier left;
  private final Runnable due;
  private XnioExecutor.@Nullable Key timer;
  private boolean isOver;

  /**
   * A timer that does not run yet.
   *
   * @param thread where it goes off
   * @param left nanoseconds until it is to go off, {@link #NEVER} while it need not run
   * @param due called at most once, when none are left
   */
  Alarm(XnioIoThread thread, LongSupplier left, Runnable due) {
    this.thread = thread;
    this.left = left;
    this.due = due;
  }

  /** Lets it run, if it does not already. */
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

  /** Ends it for good. */
  synchronized void cancel() {
    isOver = true;
    if (timer != null) {
      timer.remove();
      timer = null;
    }
  }
}
