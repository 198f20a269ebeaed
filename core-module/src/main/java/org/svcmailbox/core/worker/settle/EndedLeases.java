package org.svcmailbox.core.worker.settle;

import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.worker.state.SettledMessages.Settled;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Answers calls whose lease has ended, by {@link EndedLeasePolicy}. */
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
      // The holder may repeat the call that settled its message; any other lease of the holder has
      // ended.
      CapabilityId holder = last.fate().isRepeatable() ? last.holder() : null;
      settle
          .denial(last.shard().id().topic(), holder)
          .ifPresentOrElse(why -> answer(settle, why), () -> afterLease(settle, last));
    } else {
      answer(settle, lateAcks.settleFromEarlierLife(settle).orElseGet(() -> unknown(settle)));
    }
  }

  /** The topic is unknown, so this denies only callers that may settle nothing at all. */
  private static SettleOutcome unknown(Settle settle) {
    return settle
        .caller()
        .denialAnywhere(settle.request().operation())
        .<SettleOutcome>map(Refusal::denied)
        .orElse(SettleOutcome.UNKNOWN);
  }

  private void afterLease(Settle settle, Settled last) {
    EndedLeasePolicy.Ruling ruling =
        EndedLeasePolicy.decide(settle.request(), last.fate(), last.receipt());
    if (ruling instanceof EndedLeasePolicy.AnswerNow answer) {
      answer(settle, answer.outcome());
    } else {
      lateAcks.settle(settle, last.shard());
    }
  }

  private void answer(Settle settle, SettleOutcome outcome) {
    context.replies().settle(settle.reply(), outcome);
  }
}
