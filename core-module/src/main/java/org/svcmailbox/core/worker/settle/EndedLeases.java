package org.svcmailbox.core.worker.settle;

import org.svcmailbox.core.capability.caveat.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.delivery.SettleRequest.Reject;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.SettledMessages.Settled;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Answers calls whose lease has ended. A repeated call gets its first answer, a late ACK may still
 * count, and all others change nothing.
 */
final class EndedLeases {
  private final WorkerContext context;
  private final LateAcks lateAcks;

  EndedLeases(WorkerContext context, LateAcks lateAcks) {
    this.context = context;
    this.lateAcks = lateAcks;
  }

  void settle(Settle settle) {
    MsgId msgId = settle.request().msgId();
    Settled last = context.settled().find(msgId);
    if (last != null) {
      // A holder may repeat the call that settled its message; any other lease of the holder has
      // ended.
      CapabilityId holder = last.fate().isRepeatable() ? last.holder() : null;
      settle
          .denial(last.shard().id().topic(), holder)
          .ifPresentOrElse(why -> answer(settle, why), () -> afterLease(settle, last));
    } else {
      answer(settle, lateAcks.settleFromEarlierLife(settle).orElseGet(() -> unknown(settle)));
    }
  }

  /** The topic is unknown, so only callers that may settle nothing at all are denied. */
  private static SettleOutcome unknown(Settle settle) {
    return settle
        .caller()
        .denialAnywhere(settle.request().operation())
        .<SettleOutcome>map(Refusal::denied)
        .orElse(SettleOutcome.UNKNOWN);
  }

  private void afterLease(Settle settle, Settled last) {
    SettleRequest request = settle.request();
    boolean lastHolder = isOf(request, last);
    if (isRepeated(request, last)) {
      answer(settle, SettleOutcome.DONE);
    } else if (request instanceof Ack && lastHolder && last.fate() == Fate.EXPIRED) {
      lateAcks.settle(settle, last.shard());
    } else {
      answer(settle, new Stale(why(last.fate(), lastHolder)));
    }
  }

  private static boolean isOf(SettleRequest request, Settled last) {
    return request.receipt() == null || request.receipt().equals(last.receipt());
  }

  private static boolean isRepeated(SettleRequest request, Settled last) {
    return isOf(request, last)
        && switch (last.fate()) {
          case ACKED -> request instanceof Ack;
          case REJECTED -> request instanceof Reject;
          case EXPIRED, NACKED, DEAD -> false;
        };
  }

  private static Why why(Fate fate, boolean lastHolder) {
    return switch (fate) {
      case ACKED -> Why.ACKED;
      case DEAD -> Why.EXPIRED;
      case EXPIRED -> lastHolder ? Why.EXPIRED : Why.SUPERSEDED;
      case NACKED, REJECTED -> Why.SUPERSEDED;
    };
  }

  private void answer(Settle settle, SettleOutcome outcome) {
    context.replies().settle(settle.reply(), outcome);
  }
}
