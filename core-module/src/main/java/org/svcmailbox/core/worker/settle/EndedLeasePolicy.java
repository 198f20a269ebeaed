package org.svcmailbox.core.worker.settle;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.delivery.SettleRequest.Reject;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;

/**
 * Decides on a call whose lease has ended. A repeated call gets its first answer, a late ACK may
 * still count, and all others change nothing. Pure.
 */
final class EndedLeasePolicy {
  sealed interface Ruling {}

  record AnswerNow(SettleOutcome outcome) implements Ruling {}

  /** Acknowledge the message if no other consumer has taken it since. */
  record TryLateAck() implements Ruling {}

  private EndedLeasePolicy() {}

  /**
   * @param fate how the message's last lease ended
   * @param last its receipt; null if unknown
   */
  static Ruling decide(SettleRequest request, Fate fate, @Nullable Receipt last) {
    boolean isOfLast = request.receipt() == null || request.receipt().equals(last);
    if (isOfLast && isRepeated(request, fate)) {
      return new AnswerNow(SettleOutcome.DONE);
    }
    return isOfLast && request instanceof Ack && fate == Fate.EXPIRED
        ? new TryLateAck()
        : new AnswerNow(new Stale(why(fate, isOfLast)));
  }

  private static boolean isRepeated(SettleRequest request, Fate fate) {
    return switch (fate) {
      case ACKED -> request instanceof Ack;
      case REJECTED -> request instanceof Reject;
      case EXPIRED, NACKED, DEAD -> false;
    };
  }

  private static Why why(Fate fate, boolean isOfLast) {
    return switch (fate) {
      case ACKED -> Why.ACKED;
      case DEAD -> Why.EXPIRED;
      case EXPIRED -> isOfLast ? Why.EXPIRED : Why.SUPERSEDED;
      case NACKED, REJECTED -> Why.SUPERSEDED;
    };
  }
}
