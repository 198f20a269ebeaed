package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

/**
 * A service in this process. A call gets the answer that the test lined up for it. After that, each
 * key has one message, no lease is lost, and there is nothing to receive.
 */
final class FakeService implements AutoCloseable {
  static final ObjectMapper MAPPER = new ObjectMapper();

  /** A call as it came. */
  record Request(String call, String query, String token, String condition, String body) {
    JsonNode json() {
      try {
        return MAPPER.readTree(body);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A way to answer. */
  interface Answerer {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private final LoopbackHttp server;
  private final Map<String, Queue<Answerer>> lined = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Map<String, String> bodies = new ConcurrentHashMap<>();

  FakeService() throws IOException {
    server = new LoopbackHttp(this::handle);
  }

  String url() {
    return server.uri().toString();
  }

  private static String condition(HttpExchange exchange) {
    return Stream.of("If-Match", "If-None-Match")
        .filter(exchange.getRequestHeaders()::containsKey)
        .map(name -> name + ": " + exchange.getRequestHeaders().getFirst(name))
        .collect(Collectors.joining(", "));
  }

  /** The next call of this method and path is answered so. */
  FakeService next(String call, Answerer answerer) {
    lined.computeIfAbsent(call, key -> new ConcurrentLinkedQueue<>()).add(answerer);
    return this;
  }

  FakeService next(String call, int status, String body) {
    return next(call, exchange -> write(exchange, status, body));
  }

  /** The same with a problem; members are added to status and code. */
  FakeService nextProblem(String call, int status, String code, String members) {
    String body = "{\"status\":" + status + ",\"code\":\"" + code + "\"" + members + "}";
    return next(
        call, exchange -> LoopbackHttp.answer(exchange, status, "application/problem+json", body));
  }

  /** The next receives find these. */
  FakeService holds(JsonNode... messages) {
    ObjectNode answer = MAPPER.createObjectNode();
    answer.set("messages", MAPPER.createArrayNode().addAll(List.of(messages)));
    return next("POST /v1/recv", 200, answer.toString());
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    String query = exchange.getRequestURI().getRawQuery();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    Request request =
        new Request(
            call,
            query == null ? "" : query,
            authorization.substring(7),
            condition(exchange),
            body);
    requests.add(request);
    Answerer answerer = lined.getOrDefault(call, new ConcurrentLinkedQueue<>()).poll();
    try {
      if (answerer != null) {
        answerer.answer(exchange);
      } else {
        write(exchange, 200, answer(request));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void write(HttpExchange exchange, int status, String body) throws IOException {
    LoopbackHttp.answer(exchange, status, "application/json", body);
  }

  private String answer(Request request) {
    return switch (request.call()) {
      case "POST /v1/send" -> result(request.json()).toString();
      case "POST /v1/send/batch" -> results(request.json().path("messages"));
      case "POST /v1/ack/batch" -> results(request.json().path("acks"));
      case "POST /v1/nack/batch" -> results(request.json().path("nacks"));
      case "POST /v1/extend/batch" -> results(request.json().path("extends"));
      case "POST /v1/recv" -> "{\"messages\":[]}";
      default -> "{\"ok\":true}";
    };
  }

  private String results(JsonNode elements) {
    ArrayNode results = MAPPER.createArrayNode();
    elements.forEach(element -> results.add(result(element)));
    return MAPPER.createObjectNode().set("results", results).toString();
  }

  private ObjectNode result(JsonNode element) {
    if (!element.has("idem_key")) {
      return MAPPER.createObjectNode().put("ok", true);
    }
    String key = element.path("idem_key").asText();
    String body = element.path("payload").asText();
    String first = bodies.putIfAbsent(key, body);
    if (first != null && !first.equals(body)) {
      ObjectNode conflict = MAPPER.createObjectNode();
      conflict.putObject("error").put("status", 409).put("code", "E_DUPLICATE");
      return conflict;
    }
    return MAPPER.createObjectNode().put("msg_id", "id-" + key).put("duplicate", first != null);
  }

  /** How many messages were sent. */
  int messages() {
    return bodies.size();
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The requests of one call. */
  List<Request> requests(String call) {
    return requests.stream().filter(request -> request.call().equals(call)).toList();
  }

  /** The only request of one call. */
  Request request(String call) {
    List<Request> found = requests(call);
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " times " + call + " in " + requests);
    }
    return found.get(0);
  }

  /** Waits until a call was made. */
  void await(String call) {
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> !requests(call).isEmpty(), () -> call + " in " + requests);
  }

  /** A message as RECV hands it out, with digests that match. */
  static ObjectNode leased(String topic, String id, String body) {
    byte[] payload = body.getBytes(UTF_8);
    String hash = ReceivedEnvelope.payloadHash(payload);
    String ts = "2026-01-02T03:04:05.678Z";
    String chain = new ReceivedEnvelope(topic, ts, "key", hash, Map.of(), "").expectedHashChain();
    ObjectNode message =
        MAPPER
            .createObjectNode()
            .put("msg_id", id)
            .put("topic", topic)
            .put("ts", ts)
            .put("idem_key", "key")
            .put("payload_hash", hash)
            .put("corr_id", "corr")
            .put("shard", 0)
            .put("seq", 1)
            .put("attempt", 1)
            .put("hash_chain", chain)
            .put("payload", Base64.getEncoder().encodeToString(payload))
            .put("receipt", "receipt-" + id)
            .put("visibility_ms", 5_000);
    message.putObject("attrs");
    return message;
  }

  @Override
  public void close() {
    server.close();
  }
}
