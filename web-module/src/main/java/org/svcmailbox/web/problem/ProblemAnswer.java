package org.svcmailbox.web.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.answer.Content;
import org.svcmailbox.web.json.Json;

/** Converts problems to answers. */
public final class ProblemAnswer {
  private static final String CONTENT_TYPE = "application/problem+json";
  private static final long SECOND = 1000;

  private ProblemAnswer() {}

  public static Answer outcome(ProblemBody problem, Call call) {
    return of(Funnel.outcome(problem, call), call);
  }

  public static Answer thrown(Throwable thrown, Call call) {
    return of(Funnel.thrown(thrown, call), call);
  }

  /** Answers with the problem of an HTTP status. */
  public static Answer refused(int status, Call call) {
    return outcome(Problems.ofStatus(status), call);
  }

  /** The answer for a problem that the funnel has logged. */
  static Answer of(ProblemBody problem, Call call) {
    byte[] json = Json.bytes(problem.with("instance", call.path()).members());
    return new Answer(problem.status(), CONTENT_TYPE, headers(problem), Content.of(json));
  }

  private static Map<String, String> headers(ProblemBody problem) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (problem.more().get(ProblemReport.RETRY_AFTER_MS) instanceof Long millis) {
      headers.put("Retry-After", Long.toString(wholeSeconds(millis)));
    }
    if (problem.code() == Problem.E_CAP_AUTH) {
      headers.put("WWW-Authenticate", "Bearer realm=\"mailbox\"");
    }
    if (problem.code() == Problem.E_FRAME_TOO_LARGE) {
      // The rest of the body stays unread, so the connection cannot carry another request.
      headers.put("Connection", "close");
    }
    return headers;
  }

  private static long wholeSeconds(long millis) {
    return Math.max(1, (millis + SECOND - 1) / SECOND);
  }
}
