package org.svcmailbox.web.delivery;

import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.TooLong;
import org.svcmailbox.core.delivery.SettleOutcome.Unknown;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.json.OkResponse;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.problem.ProblemBody;
import org.svcmailbox.web.problem.Problems;

/**
 * Maps each outcome to a response record or a problem. A test visits every sealed type, so no
 * outcome reaches {@link #unforeseen}.
 */
public final class Outcomes {
  private Outcomes() {}

  /** The result of a SEND. */
  public static Object result(SendOutcome outcome) {
    if (outcome instanceof Accepted accepted) {
      return new SendResponse(accepted.msgId().toString(), accepted.duplicate());
    }
    if (outcome instanceof KeyConflict conflict) {
      return Problems.conflict(conflict);
    }
    if (outcome instanceof HashMismatch) {
      return Problems.hashMismatch();
    }
    if (outcome instanceof Refusal refusal) {
      return Problems.refused(refusal);
    }
    throw unforeseen(outcome);
  }

  /** The result of an ACK, a NACK or an EXTEND. */
  static Object result(MsgId msgId, SettleOutcome outcome) {
    if (outcome instanceof Done) {
      return OkResponse.OK;
    }
    if (outcome instanceof Stale stale) {
      return Problems.stale(msgId, stale);
    }
    if (outcome instanceof TooLong tooLong) {
      return Problems.tooLong(msgId, tooLong);
    }
    if (outcome instanceof Unknown) {
      return Problems.unknown(msgId);
    }
    if (outcome instanceof Refusal refusal) {
      return Problems.refused(refusal);
    }
    throw unforeseen(outcome);
  }

  /** Converts the result of a single call to its answer. */
  public static Answer answer(Object result, Call call) {
    return result instanceof ProblemBody problem
        ? ProblemAnswer.outcome(problem, call)
        : Answer.json(result);
  }

  static IllegalStateException unforeseen(Object outcome) {
    return new IllegalStateException("Unhandled outcome " + outcome.getClass().getName());
  }
}
