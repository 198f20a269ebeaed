package org.svcmailbox.core.refusal;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.TooLong;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.ReasonedOutage;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/** Converts outcomes and exceptions to reports, without logging. */
public final class ProblemReports {
  /** When to retry a call whose refusal does not say. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** The reason for an EXTEND that exceeds the rest of the longest lease. */
  private static final String LONGEST_LEASE = "retention_inflight";

  private ProblemReports() {}

  public static ProblemReport refused(Refusal refusal) {
    ProblemReport report =
        ProblemReport.of(refusal.problem(), refusal.detail())
            .with(ProblemReport.REASON, refusal.reason());
    return retriable(report, refusal.retryAfter() != null ? refusal.retryAfter() : SOON);
  }

  public static ProblemReport conflict(KeyConflict conflict) {
    return ProblemReport.of(
            Problem.E_DUPLICATE, "The idem_key was used for another payload within t_replay")
        .with(ProblemReport.MSG_ID, conflict.holder().toString());
  }

  public static ProblemReport hashMismatch() {
    return ProblemReport.of(Problem.E_INTEGRITY, "The payload does not match payload_hash");
  }

  public static ProblemReport stale(MsgId msgId, Stale stale) {
    String detail =
        switch (stale.why()) {
          case EXPIRED -> "The lease ran out before this call";
          case SUPERSEDED -> "The message has been given back or delivered again";
          case ACKED -> "The message is already acknowledged";
        };
    return ProblemReport.of(Problem.E_RECEIPT, detail)
        .with(ProblemReport.WHY, stale.why().text())
        .with(ProblemReport.MSG_ID, msgId.toString());
  }

  public static ProblemReport tooLong(MsgId msgId, TooLong tooLong) {
    long left = tooLong.most().toMillis();
    String limit = "must be at most " + left + ", the time left for the lease";
    return ProblemReport.of(
            Problem.E_SCHEMA, "The lease would outlast the topic's retention_inflight")
        .with(ProblemReport.ERRORS, List.of(new FieldViolation("visibility_ms", limit)))
        .with(ProblemReport.REASON, LONGEST_LEASE)
        .with(ProblemReport.LEFT_MS, left)
        .with(ProblemReport.MSG_ID, msgId.toString());
  }

  public static ProblemReport unknown(MsgId msgId) {
    return ProblemReport.of(Problem.E_NOT_FOUND, "The message has no known delivery")
        .with(ProblemReport.MSG_ID, msgId.toString());
  }

  public static ProblemReport of(MailboxException thrown) {
    String message = thrown.getMessage();
    ProblemReport report =
        ProblemReport.of(thrown.problem(), message != null ? message : thrown.problem().title());
    if (thrown instanceof SchemaException schema) {
      return report.with(ProblemReport.ERRORS, schema.violations());
    }
    if (thrown instanceof DeniedException denied) {
      return retriable(report.with(ProblemReport.REASON, denied.reason()), SOON);
    }
    if (thrown instanceof SaturatedException saturated) {
      return retriable(
          report.with(ProblemReport.REASON, saturated.reason()), saturated.retryAfter());
    }
    if (thrown instanceof ReasonedOutage outage) {
      return retriable(report.with(ProblemReport.REASON, outage.reason()), outage.retryAfter());
    }
    return soonRetriable(report);
  }

  /** A failure whose details only the log has. */
  public static ProblemReport internal(String corrId) {
    return ProblemReport.of(Problem.E_INTERNAL, "The server logged the failure under this corr_id")
        .with(ProblemReport.CORR_ID, corrId);
  }

  /** The report, with the time of a retry if that can succeed. */
  public static ProblemReport soonRetriable(ProblemReport report) {
    return retriable(report, SOON);
  }

  private static ProblemReport retriable(ProblemReport report, Duration after) {
    return report.code().retryable()
        ? report.with(ProblemReport.RETRY_AFTER_MS, after.toMillis())
        : report;
  }
}
