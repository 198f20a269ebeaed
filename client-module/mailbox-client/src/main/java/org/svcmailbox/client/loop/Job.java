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
final class Job<T, R> {
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
  private final Duration visibility;
  private final MailboxClock clock;

  private State state = State.WAITING;
  private @Nullable Thread handler;
  private @Nullable Interruption interruption;
  private long requestEnd;

  // Written by the thread that keeps leases, once it knows the job.
  private volatile long executionEnd;
  private Interruption atExecutionEnd = Interruption.OVERDUE;
  private volatile long leaseEnd;
  private volatile long nextExtension;

  Job(Message<T, R> message, Duration visibility, Duration maxExecution, MailboxClock clock) {
    this.message = message;
    this.visibility = visibility;
    this.clock = clock;
    this.executionEnd = clock.deadline(maxExecution);
    this.requestEnd = clock.deadline(MailboxClock.FOREVER);
    this.leaseEnd = clock.deadline(visibility);
    this.nextExtension = clock.deadline(visibility.dividedBy(3));
  }

  Message<T, R> message() {
    return message;
  }

  /** The request's own end, which may be earlier than the loop's. */
  synchronized void limit(Duration left) {
    requestEnd = clock.deadline(left);
  }

  /** The calling thread begins to handle it; false if it was interrupted before. */
  synchronized boolean begin() {
    if (interruption != null) {
      return false;
    }
    state = State.RUNNING;
    handler = Thread.currentThread();
    return true;
  }

  /** The handler has returned. From now on nothing interrupts its thread. */
  synchronized @Nullable Interruption handled() {
    state = State.SETTLING;
    handler = null;
    // The interrupt was for the handler, not for what the thread does next.
    boolean unused = Thread.interrupted();
    return interruption;
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

  /** Whether its handler goes on although the loop stops. */
  synchronized boolean isStuck() {
    return interruption == Interruption.STOPPED && state != State.SETTLING;
  }

  /** Does what is due for the lease, and returns the moment when something is due again. */
  long keepLease() {
    if (clock.isPast(requestEnd())) {
      interrupt(Interruption.OUT_OF_TIME);
    }
    if (clock.isPast(executionEnd)) {
      // No further extension either: a stuck handler must not hold a message forever.
      interrupt(atExecutionEnd);
      return clock.deadline(MailboxClock.FOREVER);
    }
    if (clock.isPast(nextExtension)) {
      extend();
    }
    return nextDue();
  }

  /** The moment when {@link #keepLease} has something to do. */
  long nextDue() {
    long end = requestEnd();
    long next = clock.isPast(end) ? executionEnd : earlier(end, executionEnd);
    return earlier(next, nextExtension);
  }

  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  private synchronized long requestEnd() {
    return requestEnd;
  }

  private void extend() {
    // Counted from before the call: the backend's lease begins later, never earlier.
    long extended = clock.deadline(visibility);
    long next = clock.deadline(visibility.dividedBy(3));
    try {
      message.extendVisibility(visibility);
      leaseEnd = extended;
      nextExtension = next;
    } catch (MessageFinalizedException settled) {
      nextExtension = clock.deadline(MailboxClock.FOREVER);
    } catch (ReceiptHandleExpiredException | MailboxClosedException e) {
      lose();
    } catch (IllegalArgumentException e) {
      // The backend bounds a lease with all its extensions. Interrupted a little before that end,
      // the handler's message is nacked while it is still ours.
      nextExtension = clock.deadline(MailboxClock.FOREVER);
      limitExecution(leaseEnd - margin().toNanos());
    } catch (RuntimeException e) {
      // Perhaps it works in a moment; until the lease is over, the message is ours.
      nextExtension = clock.deadline(margin());
      if (clock.isPast(leaseEnd)) {
        lose();
      }
    }
  }

  private void limitExecution(long end) {
    if (end - executionEnd < 0) {
      executionEnd = end;
      atExecutionEnd = Interruption.LEASE_LIMIT;
    }
  }

  private Duration margin() {
    return visibility.dividedBy(12).plusNanos(1);
  }

  private void lose() {
    interrupt(Interruption.LEASE_LOST);
    nextExtension = clock.deadline(MailboxClock.FOREVER);
  }
}
