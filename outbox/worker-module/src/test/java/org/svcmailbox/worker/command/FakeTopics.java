package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.test.net.LoopbackHttp;

/** A service that keeps topics, as a PUT said them, and takes messages, whose keys it remembers. */
final class FakeTopics implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Topics by their paths. */
  final Map<String, String> topics = new TreeMap<>();

  /** Whether the capability has the right to look. */
  boolean permitsPeek = true;

  /** The keys of the messages that it took. */
  final List<String> sent = new CopyOnWriteArrayList<>();

  /** The status of every SEND that it refuses; 0 to take them. */
  volatile int refusal;

  private final LoopbackHttp server = new LoopbackHttp(this::handle);

  URI uri() {
    return server.uri();
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/readyz")) {
      LoopbackHttp.answer(exchange, 200, "application/json", "{}");
    } else if (path.equals("/v1/send") || path.equals("/v1/send/batch")) {
      send(exchange, path);
    } else if (exchange.getRequestMethod().equals("PUT")) {
      topics.put(path, LoopbackHttp.body(exchange));
      LoopbackHttp.answer(exchange, 201, "application/json", "{}");
    } else if (exchange.getRequestMethod().equals("PATCH") && topics.containsKey(path)) {
      ObjectNode topic = (ObjectNode) MAPPER.readTree(topics.get(path));
      topic.setAll((ObjectNode) MAPPER.readTree(LoopbackHttp.body(exchange)));
      topics.put(path, topic.toString());
      LoopbackHttp.answer(exchange, 200, "application/json", "{}");
    } else if (!permitsPeek) {
      problem(exchange, 403);
    } else if (topics.containsKey(path)) {
      LoopbackHttp.answer(exchange, 200, "application/json", topics.get(path));
    } else {
      problem(exchange, 404);
    }
  }

  private void send(HttpExchange exchange, String path) throws IOException {
    JsonNode request = MAPPER.readTree(LoopbackHttp.body(exchange));
    if (refusal != 0) {
      problem(exchange, refusal);
      return;
    }
    ObjectNode answer = MAPPER.createObjectNode();
    if (path.equals("/v1/send")) {
      answer.setAll(send(request));
    } else {
      ArrayNode results = answer.putArray("results");
      request.path("messages").forEach(message -> results.add(send(message)));
    }
    LoopbackHttp.answer(exchange, 200, "application/json", answer.toString());
  }

  private ObjectNode send(JsonNode message) {
    String key = message.path("idem_key").asText();
    boolean isDuplicate = sent.contains(key);
    sent.add(key);
    return MAPPER.createObjectNode().put("msg_id", "m-" + key).put("duplicate", isDuplicate);
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
