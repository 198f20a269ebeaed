package org.svcmailbox.web.problem;

import jakarta.ws.rs.WebApplicationException;
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
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/** Converts outcomes and exceptions to problems, without logging. */
public final class Problems {
  /** The reason of an EXTEND that asks for more than is left of the longest lease. */
  private static final String LONGEST_LEASE = "retention_inflight";

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final int NOT_FOUND = 404;
  private static final int FIRST_SERVER_ERROR = 500;

  private Problems() {}

  public static ProblemBody refused(Refusal refusal) {
    ProblemBody body =
        ProblemBody.of(refusal.problem(), refusal.detail())
            .with(ProblemBody.REASON, refusal.reason());
    return retriable(body, refusal.retryAfter() != null ? refusal.retryAfter() : SOON);
  }

  public static ProblemBody conflict(KeyConflict conflict) {
    return ProblemBody.of(
            Problem.E_DUPLICATE, "The idem_key was used for another payload within t_replay")
        .with("msg_id", conflict.holder().toString());
  }

  public static ProblemBody hashMismatch() {
    return ProblemBody.of(Problem.E_INTEGRITY, "The payload does not match payload_hash");
  }

  public static ProblemBody stale(MsgId msgId, Stale stale) {
    String detail =
        switch (stale.why()) {
          case EXPIRED -> "The lease ran out before this call";
          case SUPERSEDED -> "The message has been given back or delivered again";
          case ACKED -> "The message is already acknowledged";
        };
    return ProblemBody.of(Problem.E_RECEIPT, detail)
        .with("why", stale.why().text())
        .with("msg_id", msgId.toString());
  }

  public static ProblemBody tooLong(MsgId msgId, TooLong tooLong) {
    long left = tooLong.most().toMillis();
    String limit = "must be at most " + left + ", the time left for the lease";
    return ProblemBody.of(
            Problem.E_SCHEMA, "The lease would outlast the topic's retention_inflight")
        .with("errors", List.of(new FieldViolation("visibility_ms", limit)))
        .with(ProblemBody.REASON, LONGEST_LEASE)
        .with("left_ms", left)
        .with("msg_id", msgId.toString());
  }

  public static ProblemBody unknown(MsgId msgId) {
    return ProblemBody.of(Problem.E_NOT_FOUND, "The message has no known delivery")
        .with("msg_id", msgId.toString());
  }

  static ProblemBody of(MailboxException thrown) {
    String message = thrown.getMessage();
    ProblemBody body =
        ProblemBody.of(thrown.problem(), message != null ? message : thrown.problem().title());
    if (thrown instanceof SchemaException schema) {
      return body.with("errors", schema.violations());
    }
    if (thrown instanceof DeniedException denied) {
      return retriable(body.with(ProblemBody.REASON, denied.reason()), SOON);
    }
    if (thrown instanceof SaturatedException saturated) {
      return retriable(body.with(ProblemBody.REASON, saturated.reason()), saturated.retryAfter());
    }
    return retriable(body, SOON);
  }

  /** Converts errors that JAX-RS raises: an unknown path, a wrong method or media type. */
  static ProblemBody of(WebApplicationException thrown) {
    return ofStatus(thrown.getResponse().getStatus());
  }

  static ProblemBody ofStatus(int status) {
    if (status == NOT_FOUND) {
      return ProblemBody.of(Problem.E_NOT_FOUND, "No such path");
    }
    ProblemBody whole = ofPlainStatus(status);
    return retriable(whole, SOON);
  }

  private static ProblemBody ofPlainStatus(int status) {
    return switch (status) {
      case 405 -> schema(status, "The path does not support this method");
      case 406 -> schema(status, "The path has no representation that the request accepts");
      case 501 -> schema(status, "The server does not know this method");
      case 413 -> ProblemBody.of(Problem.E_FRAME_TOO_LARGE, "The body is too large");
      case 415 -> schema(status, "The path does not support this Content-Type or Content-Encoding");
      case 503 -> ProblemBody.of(Problem.E_UNAVAILABLE, Problem.E_UNAVAILABLE.title());
      default ->
          status < FIRST_SERVER_ERROR
              ? schema(status, Problem.E_SCHEMA.title())
              : ProblemBody.of(Problem.E_INTERNAL, Problem.E_INTERNAL.title());
    };
  }

  /** A failure whose details are only in the log. */
  static ProblemBody internal(String corrId) {
    return ProblemBody.of(Problem.E_INTERNAL, "The server logged the failure under this corr_id")
        .with("corr_id", corrId);
  }

  private static ProblemBody schema(int status, String detail) {
    return ProblemBody.of(Problem.E_SCHEMA, detail).withStatus(status);
  }

  private static ProblemBody retriable(ProblemBody body, Duration after) {
    return body.code().retryable() ? body.with(ProblemBody.RETRY_AFTER_MS, after.toMillis()) : body;
  }
}
