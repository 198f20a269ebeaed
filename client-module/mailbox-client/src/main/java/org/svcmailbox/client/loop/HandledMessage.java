package org.svcmailbox.client.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.MailboxClosedException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.MessageFinalizedException;
import org.svcmailbox.client.ReceiptHandleExpiredException;

/**
 * One received message: its lease, and the thread that handles it.
 *
 * <p>A handler is interrupted only while it runs. The moment it returns, {@link #handled} says
 * whether somebody interrupted it, and clears the flag; from then on its worker settles the message
 * undisturbed.
 */
final class HandledMessage<T, R> {
  /** Why a handler was interrupted. */
  enum Interruption {
    /** Another worker may have the message. */
    LEASE_LOST,
    /** It took longer than {@code maxExecution}. */
    OVERDUE,
    /** The backend extends its lease no further. */
    LEASE_LIMIT,
    /** The request's own limit has passed. */
    OUT_OF_TIME,
    /** The loop stops. */
    STOPPED
  }

  private enum State {
    WAITING,
    RUNNING,
    SETTLING
  }

  private final Message<T, R> message;
  private final MailboxClock clock;

  private State state = State.WAITING;
  private @Nullable Thread handler;
  private @Nullable Interruption interruption;
  private long begun;
  private Duration handling = Duration.ZERO;
  private long requestEnd;
  private long executionEnd;
  private Interruption atExecutionEnd = Interruption.OVERDUE;

  /** Null when the lease is no longer extended. */
  private @Nullable HeartbeatLease lease;

  HandledMessage(
      Message<T, R> message, Duration visibility, Duration maxExecution, MailboxClock clock) {
    this.message = message;
    this.clock = clock;
    this.executionEnd = clock.deadline(maxExecution);
    this.requestEnd = clock.deadline(MailboxClock.FOREVER);
    this.lease = HeartbeatLease.begun(visibility, clock.nanoTime());
  }

  Message<T, R> message() {
    return message;
  }

  /** Sets the request's own time limit, which may be earlier than the loop's. */
  synchronized void limit(Duration left) {
    requestEnd = clock.deadline(left);
  }

  /** The calling thread begins to handle it; false if it was interrupted before. */
  synchronized boolean begin() {
    if (interruption != null) {
      return false;
    }
    state = State.RUNNING;
    begun = clock.nanoTime();
    handler = Thread.currentThread();
    return true;
  }

  /** The handler has returned. From now on nothing interrupts its thread. */
  synchronized @Nullable Interruption handled() {
    if (state == State.RUNNING) {
      handling = Duration.ofNanos(clock.nanoTime() - begun);
    }
    state = State.SETTLING;
    handler = null;
    // The interrupt was meant for the handler, not for the thread's next task.
    boolean unused = Thread.interrupted();
    return interruption;
  }

  /** How long its handler ran; zero until that has returned. */
  synchronized Duration handling() {
    return handling;
  }

  /** False if the handler has returned, or was interrupted before. */
  synchronized boolean interrupt(Interruption why) {
    if (state == State.SETTLING || interruption != null) {
      return false;
    }
    interruption = why;
    if (handler != null) {
      handler.interrupt();
    }
    return true;
  }

  synchronized boolean isRunning() {
    return state == State.RUNNING;
  }

  synchronized boolean isSettling() {
    return state == State.SETTLING;
  }

  /** Whether its handler is still running although the loop stops. */
  synchronized boolean isStuck() {
    return interruption == Interruption.STOPPED && state != State.SETTLING;
  }

  /** Interrupts a handler whose time or lease has ended, once for each cause. */
  synchronized void watch() {
    if (clock.isPast(requestEnd)) {
      interrupt(Interruption.OUT_OF_TIME);
      requestEnd = clock.deadline(MailboxClock.FOREVER);
    }
    if (clock.isPast(executionEnd)) {
      // No further extension either: a stuck handler must not hold a message forever.
      interrupt(atExecutionEnd);
      executionEnd = clock.deadline(MailboxClock.FOREVER);
      lease = null;
    }
    if (message.isFinalized()) {
      lease = null;
    }
    if (lease != null && lease.isOver(clock.nanoTime())) {
      lose();
    }
  }

  /** The lease to keep, or null. */
  synchronized @Nullable HeartbeatLease lease() {
    return lease;
  }

  /**
   * When to call {@link #watch} or extend the lease next. In the past if a limit has passed since
   * the last call.
   */
  synchronized long nextDue() {
    long next = earlier(requestEnd, executionEnd);
    return lease == null ? next : earlier(next, lease.nextDue());
  }

  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  /** An extension begins. */
  synchronized void extending(long begun) {
    if (lease != null) {
      lease = lease.tried(begun);
    }
  }

  /** An extension that began at a moment succeeded. */
  synchronized void extended(long begun) {
    if (lease != null) {
      lease = lease.extended(begun);
    }
  }

  /** An extension failed. */
  synchronized void notExtended(Throwable failure) {
    if (lease == null || failure instanceof MessageFinalizedException) {
      lease = null;
    } else if (failure instanceof ReceiptHandleExpiredException
        || failure instanceof MailboxClosedException) {
      lose();
    } else if (failure instanceof IllegalArgumentException) {
      // The backend limits a lease with all its extensions. The handler is interrupted a little
      // before that, so that the message is nacked while its lease lasts.
      limitExecution(lease.lastMoment());
      lease = lease.unextended(clock.nanoTime());
    } else {
      lease = lease.failed(clock.nanoTime());
    }
  }

  private void limitExecution(long end) {
    if (end - executionEnd < 0) {
      executionEnd = end;
      atExecutionEnd = Interruption.LEASE_LIMIT;
    }
  }

  private void lose() {
    interrupt(Interruption.LEASE_LOST);
    lease = null;
  }
}
