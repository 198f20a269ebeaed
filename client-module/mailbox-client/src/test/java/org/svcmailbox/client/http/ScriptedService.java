package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

/**
 * A service in this process. Requests are answered in turn by what the test lined up, then as the
 * real service would: one message for each key, and every settlement done.
 */
final class ScriptedService implements AutoCloseable {
  static final String TOKEN = "secret-token";
  static final String TS = "2026-01-02T03:04:05.678Z";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A request as it came. */
  record Request(String method, String path, String token, String body) {
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
    void answer(HttpExchange exchange, Request request) throws IOException, InterruptedException;
  }

  private final LoopbackHttp server;
  private final Queue<Answerer> lined = new ConcurrentLinkedQueue<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  ScriptedService() throws IOException {
    server = new LoopbackHttp(this::handle);
  }

  URI uri() {
    return server.uri();
  }

  /** The next request without an answerer is answered so. */
  ScriptedService next(Answerer answerer) {
    lined.add(answerer);
    return this;
  }

  ScriptedService next(int status, String body) {
    return next(answer(status, body));
  }

  /** The next request is answered with a problem; members are added to status and code. */
  ScriptedService nextProblem(int status, String code, String members) {
    return next(problem(status, code, members));
  }

  static Answerer answer(int status, String body) {
    return (exchange, request) -> LoopbackHttp.answer(exchange, status, "application/json", body);
  }

  static Answerer problem(int status, String code, String members) {
    String body = "{\"status\":" + status + ",\"code\":\"" + code + "\"" + members + "}";
    return (exchange, request) ->
        LoopbackHttp.answer(exchange, status, "application/problem+json", body);
  }

  /** The request is done, and its answer is lost. */
  Answerer lost() {
    return (exchange, request) -> {
      answerOf(request);
      exchange.close();
    };
  }

  /** The request is done, and answered as ever. */
  Answerer asEver() {
    return (exchange, request) ->
        LoopbackHttp.answer(exchange, 200, "application/json", answerOf(request));
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    Request request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            authorization.replace("Bearer ", ""),
            body);
    requests.add(request);
    Answerer answerer = lined.poll();
    try {
      (answerer != null ? answerer : asEver()).answer(exchange, request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String answerOf(Request request) throws IOException {
    return switch (request.path()) {
      case "/v1/send" -> sent(request.json()).toString();
      case "/v1/send/batch" -> results(request.json().path("messages"));
      case "/v1/ack/batch" -> results(request.json().path("acks"));
      case "/v1/recv" -> "{\"messages\":[]}";
      default -> "{\"ok\":true}";
    };
  }

  private String results(JsonNode elements) throws IOException {
    ArrayNode results = MAPPER.createArrayNode();
    for (JsonNode element : elements) {
      results.add(element.has("idem_key") ? sent(element) : MAPPER.readTree("{\"ok\":true}"));
    }
    return MAPPER.createObjectNode().set("results", results).toString();
  }

  private ObjectNode sent(JsonNode message) {
    String key = message.path("idem_key").asText();
    String fresh = "id-" + key;
    String first = ids.putIfAbsent(key, fresh);
    return MAPPER.createObjectNode().put("msg_id", fresh).put("duplicate", first != null);
  }

  /** How many messages there are. */
  int messages() {
    return ids.size();
  }

  List<Request> requests() {
    return new ArrayList<>(requests);
  }

  /** Forgets requests, and answers that nobody asked for. */
  void clear() {
    requests.clear();
    lined.clear();
  }

  Request request(int index) {
    return requests.get(index);
  }

  Request awaitRequest(int index) {
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> requests.size() > index, () -> "request " + index + " of " + requests);
    return requests.get(index);
  }

  /** A message as RECV hands it out, with digests that match. */
  static ObjectNode leased(String topic, String id, String body, Map<String, String> attrs) {
    byte[] payload = body.getBytes(UTF_8);
    String hash = ReceivedEnvelope.payloadHash(payload);
    String chain = new ReceivedEnvelope(topic, TS, "key", hash, attrs, "").expectedHashChain();
    ObjectNode message =
        MAPPER
            .createObjectNode()
            .put("msg_id", id)
            .put("topic", topic)
            .put("ts", TS)
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
    message.set("attrs", MAPPER.valueToTree(attrs));
    return message;
  }

  static String received(ObjectNode... messages) {
    return MAPPER
        .createObjectNode()
        .set("messages", MAPPER.createArrayNode().addAll(List.of(messages)))
        .toString();
  }

  static String text(JsonNode message) {
    return new String(
        requireNonNull(Base64.getDecoder().decode(message.path("payload").asText())), UTF_8);
  }

  @Override
  public void close() {
    server.close();
  }
}
