package org.svcmailbox.web.problem;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.web.json.Json;
import org.svcmailbox.web.json.JsonBytes;

/** A problem as an HTTP response. */
public final class ProblemResponse {
  static final String CONTENT_TYPE = "application/problem+json";
  private static final MediaType MEDIA_TYPE = MediaType.valueOf(CONTENT_TYPE);
  private static final long SECOND = 1000;

  private ProblemResponse() {}

  /** The response for a call that ended in an outcome that is a problem. */
  public static Response outcome(ProblemBody problem, Call call) {
    return of(Funnel.outcome(problem, call), call);
  }

  /** The response for a problem that has passed the funnel. */
  static Response of(ProblemBody problem, Call call) {
    byte[] json = Json.bytes(problem.with("instance", call.path()).members());
    Response.ResponseBuilder response =
        Response.status(problem.status()).type(MEDIA_TYPE).entity(new JsonBytes(json));
    headers(problem).forEach(response::header);
    return response.build();
  }

  /** The headers that go with a problem. */
  static Map<String, String> headers(ProblemBody problem) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (problem.more().get(ProblemBody.RETRY_AFTER_MS) instanceof Long millis) {
      headers.put(HttpHeaders.RETRY_AFTER, Long.toString(wholeSeconds(millis)));
    }
    if (problem.code() == Problem.E_CAP_AUTH) {
      headers.put(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"mailbox\"");
    }
    if (problem.code() == Problem.E_FRAME_TOO_LARGE) {
      // What is left of the body is not read, so the connection cannot carry another request.
      headers.put("Connection", "close");
    }
    return headers;
  }

  private static long wholeSeconds(long millis) {
    return Math.max(1, (millis + SECOND - 1) / SECOND);
  }
}
