package org.svcmailbox.client.service;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.LongestLeaseException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.PreconditionException;
import org.svcmailbox.client.SerializationException;

/**
 * The reason why a call failed, or why its outcome is unknown.
 *
 * @param cause the exception for the caller
 * @param repeatable whether the same call may succeed later
 * @param retryAfter when the service suggests repeating it
 */
public record Failure(RuntimeException cause, boolean repeatable, @Nullable Duration retryAfter) {

  /** Reasons of a 503 with which nothing was done; with any other, the call may have been done. */
  static final Set<String> NOT_BEGUN =
      Set.of(
          "draining",
          "max_conns",
          "address_conns",
          "max_streams",
          "body_bytes",
          "topic_changed",
          "queue_missing",
          "key_contention",
          "settling",
          "log_full",
          "store_mismatch",
          "letter_away",
          "returning",
          "group_moving",
          "owner_unreachable",
          "not_clustered",
          "unverified",
          "disk_reserve",
          "disk_failed");

  public static Failure refused(RuntimeException cause) {
    return new Failure(cause, false, null);
  }

  /** The service never had the request. */
  public static Failure notDone(String what, @Nullable Throwable cause) {
    return new Failure(new MailboxConnectionException(what, Outcome.NOT_DONE, cause), true, null);
  }

  /** The answer is missing, or says nothing that can be understood. */
  public static Failure unknown(String what, @Nullable Throwable cause) {
    return new Failure(new MailboxConnectionException(what, Outcome.UNKNOWN, cause), true, null);
  }

  /** A request that ended without a response. A certificate that is refused stays refused. */
  public static Failure lost(String call, Throwable cause) {
    if (isRefusedCertificate(cause)) {
      return refused(
          new MailboxConnectionException(
              "the certificate of the service is not trusted: " + call, Outcome.NOT_DONE, cause));
    }
    boolean neverConnected =
        cause instanceof ConnectException
            || cause instanceof HttpConnectTimeoutException
            || cause instanceof SSLHandshakeException;
    return neverConnected
        ? notDone("no connection for " + call, cause)
        : unknown("no answer to " + call, cause);
  }

  private static boolean isRefusedCertificate(Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof CertificateException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /**
   * An answer other than success.
   *
   * @param status of HTTP
   * @param problem null if the body is none: then it is not the service that answered
   */
  public static Failure of(String call, int status, @Nullable ServiceProblem problem) {
    return of(call, Integer.toString(status), status, problem);
  }

  /**
   * An answer other than success, over any protocol.
   *
   * @param answer as the failure names it
   * @param status that HTTP would have
   */
  public static Failure of(
      String call, String answer, int status, @Nullable ServiceProblem problem) {
    String what = describe(call, answer, problem);
    Duration retryAfter = problem != null ? problem.retryAfter() : null;
    return switch (status) {
      case 401, 403 -> refused(new AccessDeniedException(what));
      case 404 ->
          problem == null ? notDone(what, null) : refused(new MailboxNotFoundException(what));
      case 408 -> unknown(what, null);
      case 409 -> refused(new KeyConflictException(what));
      case 412 -> refused(new PreconditionException(what));
      case 413 -> refused(new SerializationException(what));
      case 429 -> new Failure(new MailboxFullException(what, retryAfter), true, retryAfter);
      default -> ofClass(what, status, problem, retryAfter);
    };
  }

  private static Failure ofClass(
      String what, int status, @Nullable ServiceProblem problem, @Nullable Duration retryAfter) {
    return switch (status / 100) {
      case 3 ->
          refused(
              new MailboxConnectionException(
                  what + "; redirects are not followed", Outcome.NOT_DONE));
      case 4 -> refused(wrong(what, problem));
      default ->
          new Failure(
              new MailboxConnectionException(
                  what,
                  problem != null && NOT_BEGUN.contains(problem.reason())
                      ? Outcome.NOT_DONE
                      : Outcome.UNKNOWN),
              true,
              retryAfter);
    };
  }

  private static RuntimeException wrong(String what, @Nullable ServiceProblem problem) {
    return problem != null && problem.left() != null
        ? new LongestLeaseException(what, problem.left())
        : new IllegalArgumentException(what);
  }

  private static String describe(String call, String answer, @Nullable ServiceProblem problem) {
    StringBuilder what = new StringBuilder(call).append(" was answered ").append(answer);
    if (problem == null) {
      return what.toString();
    }
    what.append(' ').append(problem.code());
    if (!problem.reason().isEmpty()) {
      what.append(" (").append(problem.reason()).append(')');
    }
    return what.append(": ").append(problem.detail()).toString();
  }

  /** The cause, if the call may have been done all the same; else null. */
  public @Nullable MailboxConnectionException lost() {
    return cause instanceof MailboxConnectionException e && e.outcome() == Outcome.UNKNOWN
        ? e
        : null;
  }
}
