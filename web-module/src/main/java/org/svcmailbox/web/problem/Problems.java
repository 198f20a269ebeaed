package org.svcmailbox.web.problem;

import jakarta.ws.rs.WebApplicationException;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.TooLong;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.core.refusal.ProblemReports;

/** Converts outcomes and exceptions to problems with their statuses, without logging. */
public final class Problems {
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int FIRST_SERVER_ERROR = 500;

  private Problems() {}

  public static ProblemBody refused(Refusal refusal) {
    return ProblemBody.of(ProblemReports.refused(refusal));
  }

  public static ProblemBody conflict(KeyConflict conflict) {
    return ProblemBody.of(ProblemReports.conflict(conflict));
  }

  public static ProblemBody hashMismatch() {
    return ProblemBody.of(ProblemReports.hashMismatch());
  }

  public static ProblemBody stale(MsgId msgId, Stale stale) {
    return ProblemBody.of(ProblemReports.stale(msgId, stale));
  }

  public static ProblemBody tooLong(MsgId msgId, TooLong tooLong) {
    return ProblemBody.of(ProblemReports.tooLong(msgId, tooLong));
  }

  public static ProblemBody unknown(MsgId msgId) {
    return ProblemBody.of(ProblemReports.unknown(msgId));
  }

  static ProblemBody of(MailboxException thrown) {
    return ProblemBody.of(ProblemReports.of(thrown));
  }

  /** Converts errors that JAX-RS raises: an unknown path, a wrong method or media type. */
  static ProblemBody of(WebApplicationException thrown) {
    return ofStatus(thrown.getResponse().getStatus());
  }

  static ProblemBody ofStatus(int status) {
    return switch (status) {
      case NOT_FOUND -> ProblemBody.of(Problem.E_NOT_FOUND, "No such path");
      case 405 -> schema(status, "The path does not support this method");
      case 406 -> schema(status, "The path has no representation that the request accepts");
      case 501 -> schema(status, "The server does not know this method");
      case 413 -> ProblemBody.of(Problem.E_FRAME_TOO_LARGE, "The body is too large");
      case 415 -> schema(status, "The path does not support this Content-Type or Content-Encoding");
      case 503 -> unavailable();
      default ->
          status < FIRST_SERVER_ERROR
              ? schema(status, Problem.E_SCHEMA.title())
              : ProblemBody.of(Problem.E_INTERNAL, Problem.E_INTERNAL.title());
    };
  }

  private static ProblemBody unavailable() {
    return ProblemBody.of(
        ProblemReports.soonRetriable(
            ProblemReport.of(Problem.E_UNAVAILABLE, Problem.E_UNAVAILABLE.title())));
  }

  /** A method that a path does not support, with the reason. */
  public static ProblemBody ofMethod(String detail) {
    return schema(METHOD_NOT_ALLOWED, detail);
  }

  private static ProblemBody schema(int status, String detail) {
    return ProblemBody.of(Problem.E_SCHEMA, detail).withStatus(status);
  }
}
