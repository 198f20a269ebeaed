package org.svcmailbox.client.service;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.spi.BatchTask;

/**
 * Something that the service is asked to do, as often as it takes. Its bytes never change. Belongs
 * to one thread at a time; only the result is shared.
 *
 * @param <A> the answer
 */
public abstract class RepeatedTask<A> extends BatchTask<A> {
  private final long deadline;
  private @Nullable MailboxConnectionException lost;
  private @Nullable Failure last;

  /**
   * A task that was not begun.
   *
   * @param payloadBytes what counts towards the bytes of a batch
   * @param begun the moment from which it waits
   * @param deadline the moment from which it is not repeated
   */
  protected RepeatedTask(int payloadBytes, long begun, long deadline) {
    super(payloadBytes, begun);
    this.deadline = deadline;
  }

  /** The moment from which it is not repeated. */
  public final long deadline() {
    return deadline;
  }

  /** Whether an earlier attempt may have done it. */
  public final boolean isDoubtful() {
    return lost != null;
  }

  /** The last failure of an attempt that may have done it; null for none. */
  public final @Nullable MailboxConnectionException lost() {
    return lost;
  }

  /** Why the last attempt failed; null if there was none. */
  final @Nullable Failure last() {
    return last;
  }

  /** Takes note of an attempt that failed, and ends the task if no other can succeed. */
  public final void attemptFailed(Failure failure) {
    last = failure;
    if (!failure.repeatable()) {
      end(failure.cause());
    }
    if (failure.lost() != null) {
      lost = failure.lost();
    }
  }

  /** Ends the task with its last failure, or with another if it was never attempted. */
  final void giveUp(RuntimeException otherwise) {
    end(last != null ? last.cause() : otherwise);
  }

  private void end(RuntimeException cause) {
    fail(isConclusive(cause) ? cause : inDoubt(cause));
  }

  /** Whether nothing that an earlier attempt may have done makes this untrue. */
  private boolean isConclusive(RuntimeException cause) {
    return lost == null
        || cause instanceof KeyConflictException
        || cause instanceof ReceiptHandleExpiredException
        || (cause instanceof MailboxConnectionException e && e.outcome() == Outcome.UNKNOWN);
  }

  private static MailboxConnectionException inDoubt(RuntimeException cause) {
    return new MailboxConnectionException(
        "an earlier attempt may have succeeded; the last one did not: " + cause.getMessage(),
        Outcome.UNKNOWN,
        cause);
  }
}
