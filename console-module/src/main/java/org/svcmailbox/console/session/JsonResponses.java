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
final class JsonResponses {
  private static final JsonFactory JSON = new JsonFactory();

  private static final Map<Integer, String> TITLES =
      Map.of(
          HttpServletResponse.SC_UNAUTHORIZED,
          "Unauthorized",
          HttpServletResponse.SC_FORBIDDEN,
          "Forbidden",
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "Method Not Allowed",
          429,
          "Too Many Requests",
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Service Unavailable");

  private JsonResponses() {}

  /** Writes an object with these members, in order. */
  static void json(HttpServletResponse response, Map<String, String> members) {
    write(response, "application/json", generator -> strings(generator, members));
  }

  /** Writes a problem document (RFC 9457). */
  static void problem(HttpServletResponse response, int status, String detail) {
    response.setStatus(status);
    Map<String, String> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", TITLES.getOrDefault(status, "Error"));
    members.put("detail", detail);
    write(
        response,
        "application/problem+json",
        generator -> {
          strings(generator, members);
          generator.writeNumberField("status", status);
        });
  }

  private interface Members {
    void writeTo(JsonGenerator generator) throws IOException;
  }

  private static void strings(JsonGenerator generator, Map<String, String> members)
      throws IOException {
    for (Map.Entry<String, String> member : members.entrySet()) {
      generator.writeStringField(member.getKey(), member.getValue());
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
