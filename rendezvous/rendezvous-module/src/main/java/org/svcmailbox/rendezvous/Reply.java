package org.svcmailbox.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A complete response. All except the metrics fit into the server's buffer, so writing never
 * blocks.
 *
 * @param headers by name
 * @param body may be empty
 */
record Reply(int status, Map<String, String> headers, String body) {
  private static final String CONTENT_TYPE = "Content-Type";
  private static final long SECOND = 1_000_000_000L;

  Reply {
    headers = Map.copyOf(headers);
  }

  static Reply of(int status) {
    return new Reply(status, Map.of(), "");
  }

  static Reply of(int status, String contentType, String body) {
    return new Reply(status, Map.of(CONTENT_TYPE, contentType), body);
  }

  static Reply of(Refusal refusal) {
    Reply reply = of(refusal.status(), "application/problem+json", refusal.json());
    return switch (refusal) {
      case NO_TOKEN -> reply.with("WWW-Authenticate", "Bearer");
      // The rest of the body stays unread, so the connection cannot carry another request.
      case BODY, FRAMING -> reply.with("Connection", "close");
      default -> reply;
    };
  }

  /** A problem with {@code Retry-After} in whole seconds, at least one. */
  static Reply of(Refusal refusal, Duration retryAfter) {
    long seconds = Math.max(1, (retryAfter.toNanos() + SECOND - 1) / SECOND);
    return of(refusal).with("Retry-After", Long.toString(seconds));
  }

  /** Returns a copy with one more header. */
  Reply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, more, body);
  }

  /** Writes the response without flushing it. */
  void writeTo(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    headers.forEach(response::setHeader);
    byte[] bytes = body.getBytes(UTF_8);
    if (status != HttpServletResponse.SC_NO_CONTENT) {
      response.setContentLength(bytes.length);
    }
    response.getOutputStream().write(bytes);
  }
}
