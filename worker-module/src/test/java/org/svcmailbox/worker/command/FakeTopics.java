package org.svcmailbox.worker.command;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.test.net.LoopbackHttp;

/** The part of a service that keeps topics: what a PUT said is what a GET answers. */
final class FakeTopics implements AutoCloseable {
  /** Topics by their paths. */
  final Map<String, String> topics = new TreeMap<>();

  /** Whether the capability has the right to look. */
  boolean permitsPeek = true;

  private final LoopbackHttp server = new LoopbackHttp(this::handle);

  URI uri() {
    return server.uri();
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/readyz")) {
      LoopbackHttp.answer(exchange, 200, "application/json", "{}");
    } else if (exchange.getRequestMethod().equals("PUT")) {
      topics.put(path, LoopbackHttp.body(exchange));
      LoopbackHttp.answer(exchange, 201, "application/json", "{}");
    } else if (!permitsPeek) {
      problem(exchange, 403);
    } else if (topics.containsKey(path)) {
      LoopbackHttp.answer(exchange, 200, "application/json", topics.get(path));
    } else {
      problem(exchange, 404);
    }
  }

  private static void problem(HttpExchange exchange, int status) throws IOException {
    LoopbackHttp.answer(
        exchange,
        status,
        "application/problem+json",
        "{\"status\":%d,\"code\":\"E\",\"detail\":\"no\"}".formatted(status));
  }

  @Override
  public void close() {
    server.close();
  }
}
