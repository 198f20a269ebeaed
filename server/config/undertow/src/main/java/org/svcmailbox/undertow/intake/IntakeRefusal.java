package org.svcmailbox.undertow.intake;

import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Protocols;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The answer to a request that is not served, in the format of the application's problems. The
 * connection closes after it.
 */
enum IntakeRefusal {
  MAX_CONNS(StatusCodes.SERVICE_UNAVAILABLE, "max_conns", "too many connections"),
  ADDRESS_CONNS(
      StatusCodes.SERVICE_UNAVAILABLE, "address_conns", "too many connections of one address"),
  MAX_STREAMS(StatusCodes.SERVICE_UNAVAILABLE, "max_streams", "too many streams of one connection"),
  BODY_BYTES(
      StatusCodes.SERVICE_UNAVAILABLE, "body_bytes", "too many request bodies are under way"),
  UNVERIFIED(
      StatusCodes.SERVICE_UNAVAILABLE, "unverified", "the capability cannot be verified now"),
  CHUNKS(StatusCodes.BAD_REQUEST, "framing", "malformed chunk"),
  HEAD(StatusCodes.BAD_REQUEST, "framing", "malformed or ambiguous request head"),
  LARGE_HEAD(StatusCodes.REQUEST_HEADER_FIELDS_TOO_LARGE, "head", "more than 64 KiB or 200 fields"),
  TARGET(StatusCodes.BAD_REQUEST, "target", "the request target is no path that a server can have"),
  COOKIE(StatusCodes.BAD_REQUEST, "cookie", "malformed cookies, or too many"),
  TRUNCATED(StatusCodes.BAD_REQUEST, "truncated", "the body ended early");

  private final int status;
  private final String reason;
  private final String detail;

  IntakeRefusal(int status, String reason, String detail) {
    this.status = status;
    this.reason = reason;
    this.detail = detail;
  }

  /**
   * Answers, on the I/O thread.
   *
   * @param after called when the answer is being sent, because the request must still be ended
   */
  void answer(HttpServerExchange exchange, Runnable after) {
    byte[] body = body(exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
    exchange.setStatusCode(status);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/problem+json");
    if (isRetryable()) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
    }
    if (!exchange.getProtocol().equals(Protocols.HTTP_2_0)) {
      exchange.getResponseHeaders().put(Headers.CONNECTION, "close");
    }
    exchange.setResponseContentLength(body.length);
    exchange.getResponseSender().send(ByteBuffer.wrap(body), new Closing(after));
  }

  private boolean isRetryable() {
    return status == StatusCodes.SERVICE_UNAVAILABLE;
  }

  private String body(String path) {
    if (!isRetryable()) {
      return """
          {"type":"urn:svc-mailbox:problem:E_SCHEMA",\
          "title":"The request is malformed","status":%d,"detail":"%s",\
          "code":"E_SCHEMA","reason":"%s","instance":"%s"}"""
          .formatted(status, detail, reason, escaped(path));
    }
    return """
        {"type":"urn:svc-mailbox:problem:E_UNAVAILABLE",\
        "title":"The service cannot do this now","status":503,"detail":"%s",\
        "code":"E_UNAVAILABLE","reason":"%s","retry_after_ms":1000,"instance":"%s"}"""
        .formatted(detail, reason, escaped(path));
  }

  private static String escaped(String path) {
    StringBuilder escaped = new StringBuilder(path.length());
    path.chars()
        .forEach(
            c -> {
              if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                escaped.append("\\u%04x".formatted(c));
              } else {
                escaped.append((char) c);
              }
            });
    return escaped.toString();
  }

  /** Ends the answer before the request, whose body may take longer. */
  private record Closing(Runnable after) implements IoCallback {
    @Override
    public void onComplete(HttpServerExchange exchange, Sender sender) {
      sender.close(new Closed(after));
    }

    @Override
    public void onException(HttpServerExchange exchange, Sender sender, IOException e) {
      BodyDeadline.close(exchange);
    }
  }

  private record Closed(Runnable after) implements IoCallback {
    @Override
    public void onComplete(HttpServerExchange exchange, Sender sender) {
      after.run();
    }

    @Override
    public void onException(HttpServerExchange exchange, Sender sender, IOException e) {
      BodyDeadline.close(exchange);
    }
  }
}
