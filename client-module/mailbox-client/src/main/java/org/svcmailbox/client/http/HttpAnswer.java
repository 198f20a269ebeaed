package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.ServiceProblem;

/** An HTTP response. */
final class HttpAnswer implements HttpOutcome {
  /** Done, made, or begun. */
  private static final Set<Integer> OK = Set.of(200, 201, 202);

  private final int status;
  private final byte[] body;
  private final @Nullable ServiceProblem problem;
  private final String token;

  private HttpAnswer(int status, byte[] body, @Nullable ServiceProblem problem, String token) {
    this.status = status;
    this.body = body;
    this.problem = problem;
    this.token = token;
  }

  /**
   * Reads a response.
   *
   * @param token of the request
   */
  static HttpAnswer of(HttpResponse<byte[]> response, String token) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    boolean isProblem = type.toLowerCase(Locale.ROOT).startsWith("application/problem+json");
    String retryAfter = response.headers().firstValue("Retry-After").orElse(null);
    int status = response.statusCode();
    ServiceProblem problem =
        isProblem ? ProblemJson.read(response.body(), status, retryAfter, token) : null;
    return new HttpAnswer(status, response.body(), problem, token);
  }

  int status() {
    return status;
  }

  boolean isOk() {
    return OK.contains(status);
  }

  /** The problem in the body; null if the body is none of the service's. */
  @Nullable ServiceProblem problem() {
    return problem;
  }

  /** The token of the request; never shown. */
  String token() {
    return token;
  }

  byte[] body() {
    return body;
  }

  JsonNode json() throws IOException {
    return HttpJson.MAPPER.readTree(body);
  }

  /** Without the body and the token. */
  @Override
  public String toString() {
    return "Answer[" + status + "]";
  }
}
