package org.svcmailbox.client.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.service.ServiceProblem;

/** Problems as the bodies of answers have them (RFC 9457). */
final class ProblemJson {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private ProblemJson() {}

  /**
   * Reads a body; null if it is not a problem.
   *
   * @param status the answer's status, which the body only repeats
   * @param retryAfter the header
   * @param token never part of the result, even if the body contains it
   */
  static @Nullable ServiceProblem read(
      byte[] body, int status, @Nullable String retryAfter, String token) {
    try {
      JsonNode json = HttpJson.MAPPER.readTree(body);
      return json.isObject() ? of(json, status, retryAfter, token) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Reads the problem of one element of a batch. */
  static ServiceProblem of(JsonNode json, String token) {
    return of(json, json.path("status").asInt(), null, token);
  }

  private static ServiceProblem of(
      JsonNode json, int status, @Nullable String retryAfter, String token) {
    return new ServiceProblem(
        status,
        text(json, "code", token),
        text(json, "reason", token),
        text(json, "detail", token) + fields(json.path("errors"), token),
        json.path("msg_id").isTextual() ? text(json, "msg_id", token) : null,
        ServiceProblem.why(json.path("why").asText()),
        retryAfter(json.path("retry_after_ms"), retryAfter),
        millis(json.path("left_ms")));
  }

  /** The refused fields, as {@code " (attrs: too many)"}. */
  private static String fields(JsonNode errors, String token) {
    StringBuilder fields = new StringBuilder();
    for (JsonNode error : errors) {
      fields.append(fields.isEmpty() ? " (" : "; ");
      fields.append(text(error, "field", token)).append(": ").append(text(error, "message", token));
    }
    return fields.isEmpty() ? "" : fields.append(")").toString();
  }

  private static String text(JsonNode json, String field, String token) {
    return ServiceProblem.text(json.path(field).asText(""), token);
  }

  private static @Nullable Duration millis(JsonNode json) {
    return json.isIntegralNumber() && json.asLong() >= 0 ? Duration.ofMillis(json.asLong()) : null;
  }

  /** The body's milliseconds, or else the header's seconds. */
  private static @Nullable Duration retryAfter(JsonNode millis, @Nullable String header) {
    Duration said = millis(millis);
    if (said != null) {
      return said;
    }
    return header != null && SECONDS.matcher(header).matches()
        ? Duration.ofSeconds(Long.parseLong(header))
        : null;
  }
}
