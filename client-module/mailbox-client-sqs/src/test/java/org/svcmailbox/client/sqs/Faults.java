package org.svcmailbox.client.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

/**
 * A proxy before ElasticMQ. Requests of an operation are answered by what the test lined up for it,
 * and after that by ElasticMQ.
 */
final class Faults implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A request as it came. */
  record Request(String operation, JsonNode json, String body) {}

  /** A way to answer. */
  interface Answerer {
    void answer(HttpExchange exchange, Request request) throws IOException, InterruptedException;
  }

  private final ElasticMq behind;
  private final HttpClient client = HttpClient.newHttpClient();
  private final LoopbackHttp server;
  private final Map<String, Queue<Answerer>> lined = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Answerer otherwise = asEver();

  Faults(ElasticMq behind) throws IOException {
    this.behind = behind;
    server = new LoopbackHttp(this::handle);
  }

  URI uri() {
    return server.uri();
  }

  /** The next request of this operation without an answerer is answered so. */
  Faults next(String operation, Answerer answerer) {
    lined.computeIfAbsent(operation, any -> new ConcurrentLinkedQueue<>()).add(answerer);
    return this;
  }

  /** From now on every third request fails: by turns its answer is lost, or it is not done. */
  void everyThird() {
    List<Answerer> ways =
        List.of(
            lost(),
            cut(),
            error(503, "ServiceUnavailable", ""),
            error(400, "RequestThrottled", ""));
    AtomicInteger count = new AtomicInteger();
    otherwise =
        (exchange, request) -> {
          int number = count.incrementAndGet();
          (number % 3 == 0 ? ways.get(number / 3 % ways.size()) : asEver())
              .answer(exchange, request);
        };
  }

  /** ElasticMQ does and answers it. */
  Answerer asEver() {
    return changed(answer -> answer);
  }

  /** ElasticMQ does it, and the answer is lost. */
  Answerer lost() {
    return (exchange, request) -> {
      var unused = forward(request);
      exchange.close();
    };
  }

  /** The connection breaks before ElasticMQ hears of it. */
  static Answerer cut() {
    return (exchange, request) -> exchange.close();
  }

  /** ElasticMQ does it, and the answer comes after the gate opens. */
  Answerer stalled(CountDownLatch gate) {
    return (exchange, request) -> {
      HttpResponse<String> response = forward(request);
      gate.await();
      write(exchange, response.statusCode(), response.body());
    };
  }

  /** ElasticMQ does it, and never answers. */
  Answerer silent() {
    return stalled(closed);
  }

  /** ElasticMQ does it, and its answer is changed. */
  Answerer changed(UnaryOperator<String> change) {
    return (exchange, request) -> {
      HttpResponse<String> response = forward(request);
      write(exchange, response.statusCode(), change.apply(response.body()));
    };
  }

  /** An error of SQS; nothing is done. */
  static Answerer error(int status, String code, String message) {
    return (exchange, request) ->
        write(
            exchange,
            status,
            JSON.createObjectNode()
                .put("__type", "com.amazonaws.sqs#" + code)
                .put("message", message)
                .toString());
  }

  /** Any answer; nothing is done. */
  static Answerer answer(int status, String body) {
    return (exchange, request) -> write(exchange, status, body);
  }

  private static void write(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String operation = target.substring(target.indexOf('.') + 1);
    Request request = new Request(operation, JSON.readTree(body), body);
    requests.add(request);
    Answerer answerer = lined.getOrDefault(operation, new ConcurrentLinkedQueue<>()).poll();
    try {
      (answerer != null ? answerer : otherwise).answer(exchange, request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<String> forward(Request request) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(behind.uri())
            .header("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Target", "AmazonSQS." + request.operation())
            .POST(HttpRequest.BodyPublishers.ofString(request.body()))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The requests of an operation that came so far. */
  List<JsonNode> requests(String operation) {
    return requests.stream()
        .filter(request -> request.operation().equals(operation))
        .map(Request::json)
        .toList();
  }

  /** Waits until so many requests of an operation have come. */
  List<JsonNode> awaitRequests(String operation, int count) {
    Deadline.in(Duration.ofSeconds(10))
        .await(
            () -> requests(operation).size() >= count,
            () -> count + " requests of " + operation + " come");
    return requests(operation);
  }

  @Override
  public void close() {
    closed.countDown();
    server.close();
  }
}
