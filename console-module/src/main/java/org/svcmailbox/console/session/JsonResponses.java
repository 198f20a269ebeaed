package org.svcmailbox.console.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON responses to the console's scripts. */
public final class JsonResponses {
  private static final JsonFactory JSON = new JsonFactory();

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
          429,
          "Too Many Requests",
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Service Unavailable");

  private JsonResponses() {}

  /** Writes an object with these members, in order: strings and truth values. */
  static void json(HttpServletResponse response, Map<String, Object> members) {
    write(response, "application/json", generator -> write(generator, members));
  }

  /** Writes a problem document (RFC 9457). */
  public static void problem(HttpServletResponse response, int status, String detail) {
    response.setStatus(status);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", TITLES.getOrDefault(status, "Error"));
    members.put("detail", detail);
    write(
        response,
        "application/problem+json",
        generator -> {
          write(generator, members);
          generator.writeNumberField("status", status);
        });
  }

  private interface Members {
    void writeTo(JsonGenerator generator) throws IOException;
  }

  private static void write(JsonGenerator generator, Map<String, Object> members)
      throws IOException {
    for (Map.Entry<String, Object> member : members.entrySet()) {
      if (member.getValue() instanceof Boolean truth) {
        generator.writeBooleanField(member.getKey(), truth);
      } else {
        generator.writeStringField(member.getKey(), member.getValue().toString());
      }
    }
  }

  private static void write(HttpServletResponse response, String type, Members members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      try (JsonGenerator generator = JSON.createGenerator(bytes)) {
        generator.writeStartObject();
        members.writeTo(generator);
        generator.writeEndObject();
      }
      response.setContentType(type);
      response.setContentLength(bytes.size());
      response.getOutputStream().write(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
