package org.svcmailbox.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A whole response. All but the metrics fit into the server's buffer: writing them never blocks.
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

  /** A bare status. */
  static Reply of(int status) {
    return new Reply(status, Map.of(), "");
  }

  static Reply of(int status, String contentType, String body) {
    return new Reply(status, Map.of(CONTENT_TYPE, contentType), body);
  }

  /** A problem document. */
  static Reply of(Refusal refusal) {
    Reply reply = of(refusal.status(), "application/problem+json", refusal.json());
    return switch (refusal) {
      case NO_TOKEN -> reply.with("WWW-Authenticate", "Bearer");
      // The rest of the connection is not read, so it cannot carry another request.
      case BODY, FRAMING -> reply.with("Connection", "close");
      default -> reply;
    };
  }

  /** A problem document that tells when to try again: in whole seconds, at least one. */
  static Reply of(Refusal refusal, Duration retryAfter) {
    long seconds = Math.max(1, (retryAfter.toNanos() + SECOND - 1) / SECOND);
    return of(refusal).with("Retry-After", Long.toString(seconds));
  }

  /** The same with one more header. */
  Reply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Reply(status, more, body);
  }

  /** Writes it, without a flush. */
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
