package org.svcmailbox.client.service;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;

/** The kinds of settlements, and what a problem means for one that may have been done before. */
public enum Settling {
  /**
   * A repeated ACK of what is acknowledged was done. A 404 is no proof: after a restart the service
   * does not find a message that waits behind others, or for its next delivery.
   */
  ACK,

  /** A repeated NACK that no longer meets its lease was done, or the lease ran out since. */
  NACK,

  /** As NACK, but into the dead letters: a lost lease may mean that the message is elsewhere. */
  REJECT,

  EXTEND;

  private boolean isDoneIfRepeated(ServiceProblem problem) {
    return switch (this) {
      case ACK -> problem.status() == 410 && problem.why() == Why.ACKNOWLEDGED;
      case NACK -> problem.isUnknownDelivery() || problem.status() == 410;
      case REJECT, EXTEND -> false;
    };
  }

  /**
   * Interprets a problem.
   *
   * @param lost the failure of an earlier attempt that may have done the task; null for none
   * @param otherwise the failure for a problem without a special meaning here
   */
  public Reading<Boolean> read(
      ServiceProblem problem,
      @Nullable MailboxConnectionException lost,
      Supplier<Failure> otherwise) {
    if (lost != null && isDoneIfRepeated(problem)) {
      return new Reading.Done<>(true);
    }
    if (problem.isUnknownDelivery() || problem.status() == 410) {
      String id = problem.msgId() == null ? "" : problem.msgId();
      return new Reading.Refused<>(
          Failure.refused(new ReceiptHandleExpiredException(id, problem.why(), lost)));
    }
    return new Reading.Refused<>(otherwise.get());
  }
}
