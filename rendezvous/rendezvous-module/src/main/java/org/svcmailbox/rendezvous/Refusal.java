package org.svcmailbox.rendezvous;

import org.svcmailbox.core.problem.Problem;

/** Reasons to refuse a request, in the order of the checks. */
enum Refusal {
  FRAMING(400, Problem.E_SCHEMA, "framing", "The only transfer encoding is chunked"),
  URI_TOO_LONG(414, Problem.E_SCHEMA, "uri", "The URI has more than 1024 bytes"),
  UNKNOWN_PATH(404, Problem.E_NOT_FOUND, "path", "No such path, or a malformed recipient"),
  METHOD(405, Problem.E_SCHEMA, "method", "The path does not support this method"),
  ENCODING(415, Problem.E_SCHEMA, "content_encoding", "A message is stored as it comes"),
  BLOCKED(403, Problem.E_CAP_SCOPE, "blocked", "This address is blocked"),
  ORIGIN(403, Problem.E_CAP_SCOPE, "origin", "Pages of this origin may not call"),
  FETCH_MODE(403, Problem.E_CAP_SCOPE, "fetch_mode", "Only scripts of a page may call"),
  RATE(
      429,
      Problem.E_SATURATED,
      "rate",
      "This address sends too many requests, or has too many waiting"),
  NO_TOKEN(401, Problem.E_CAP_AUTH, "missing", "The request needs a token"),
  TOKEN(403, Problem.E_CAP_SCOPE, "token", "The token is invalid or lacks this right"),
  REVOCATION(503, Problem.E_UNAVAILABLE, "revocation", "The token cannot be checked now"),
  QUERY(400, Problem.E_SCHEMA, "query", "The query has an unknown or malformed parameter"),
  BODY(413, Problem.E_FRAME_TOO_LARGE, "max_message_size", "The message is too large"),
  STOPPING(503, Problem.E_UNAVAILABLE, "stopping", "The service is stopping"),
  FULL(503, Problem.E_UNAVAILABLE, "full", "The service has reached a limit"),
  WAITERS(429, Problem.E_SATURATED, "waiters", "Too many requests wait on this mailbox"),
  SENDER_FULL(429, Problem.E_SATURATED, "sender_full", "This address has stored too much"),
  MAILBOX_FULL(507, Problem.E_SATURATED, "queue_full", "The mailbox is full"),
  FAILED(500, Problem.E_INTERNAL, "failed", "The server logged the failure");

  private final int status;
  private final Problem problem;
  private final String reason;
  private final String detail;

  Refusal(int status, Problem problem, String reason, String detail) {
    this.status = status;
    this.problem = problem;
    this.reason = reason;
    this.detail = detail;
  }

  int status() {
    return status;
  }

  /** The problem document, which consists of constants. */
  String json() {
    return """
        {"type":"urn:svc-mailbox:problem:%1$s","title":"%2$s","status":%3$d,"detail":"%4$s",\
        "code":"%1$s","reason":"%5$s"}"""
        .formatted(problem.name(), problem.title(), status, detail, reason);
  }
}
