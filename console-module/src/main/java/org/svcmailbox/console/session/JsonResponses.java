package org.svcmailbox.console.session;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.problem.SchemaException;

/** JSON responses to the console's scripts. */
public final class JsonResponses {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<Integer, String> TITLES =
      Map.of(
          HttpServletResponse.SC_BAD_REQUEST,
          "Bad Request",
          HttpServletResponse.SC_UNAUTHORIZED,
          "Unauthorized",
          HttpServletResponse.SC_FORBIDDEN,
          "Forbidden",
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "Method Not Allowed",
          HttpServletResponse.SC_CONFLICT,
          "Conflict",
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "Content Too Large",
          429,
          "Too Many Requests",
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Service Unavailable");

  private JsonResponses() {}

  /** Writes an object with these members, in order: strings, numbers, truth values and lists. */
  static void json(HttpServletResponse response, Map<String, Object> members) {
    write(response, "application/json", members);
  }

  /** Writes a problem document (RFC 9457). */
  public static void problem(HttpServletResponse response, int status, String detail) {
    problem(response, status, detail, Map.of());
  }

  /** The same with a {@code reason}, a constant word that a script can act on. */
  public static void problem(
      HttpServletResponse response, int status, String detail, String reason) {
    problem(response, status, detail, Map.of("reason", reason));
  }

  /** The problem that a script meets without a session. */
  public static void noSession(HttpServletResponse response) {
    problem(response, HttpServletResponse.SC_UNAUTHORIZED, "no valid session", "session");
  }

  /** The problem of refused fields, as that of the API. */
  static void schema(HttpServletResponse response, SchemaException refused) {
    List<Map<String, Object>> errors =
        refused.violations().stream()
            .map(one -> Map.<String, Object>of("field", one.field(), "message", one.message()))
            .toList();
    Map<String, Object> more = new LinkedHashMap<>();
    more.put("code", "E_SCHEMA");
    more.put("errors", errors);
    String detail = String.valueOf(refused.getMessage());
    problem(response, HttpServletResponse.SC_BAD_REQUEST, detail, more);
  }

  private static void problem(
      HttpServletResponse response, int status, String detail, Map<String, Object> more) {
    response.setStatus(status);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", TITLES.getOrDefault(status, "Error"));
    members.put("detail", detail);
    members.put("status", status);
    members.putAll(more);
    write(response, "application/problem+json", members);
  }

  private static void write(
      HttpServletResponse response, String type, Map<String, Object> members) {
    try {
      byte[] bytes = JSON.writeValueAsBytes(members);
      response.setContentType(type);
      response.setContentLength(bytes.length);
      response.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
