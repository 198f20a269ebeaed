package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedBody;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.test.net.LoopbackHttp;

/** A service in this process that keeps its promises: topics are queues in memory. */
final class QueueService implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int CAPACITY = 1_000;

  private final LoopbackHttp server;
  private final Map<String, InMemoryDriver> topics = new ConcurrentHashMap<>();
  private final AtomicInteger receives = new AtomicInteger();
  private final Map<String, Held> receipts = new ConcurrentHashMap<>();

  /** How often each message was given back with its attempt unspent. */
  private final Map<String, Integer> unspent = new ConcurrentHashMap<>();

  final QueueStreams streams = new QueueStreams(this);

  /** A delivery. A repeated ACK of it is answered as the first was. */
  static final class Held {
    private final InMemoryDriver queue;
    private final DriverDelivery delivery;
    private boolean acknowledged;
    private volatile boolean ended;
    private volatile long until;

    Held(InMemoryDriver queue, DriverDelivery delivery, Duration lease) {
      this.queue = queue;
      this.delivery = delivery;
      this.until = System.nanoTime() + lease.toNanos();
    }

    synchronized void acknowledge() {
      if (!acknowledged) {
        queue.acknowledge(delivery);
        acknowledged = true;
        ended = true;
      }
    }

    void nack(Duration delay, String reason) {
      queue.nack(delivery, delay, reason);
      ended = true;
    }

    void extend(Duration lease) {
      queue.extend(delivery, lease);
      until = System.nanoTime() + lease.toNanos();
    }

    String id() {
      return delivery.id();
    }

    /** Whether it counts towards the window of its stream. */
    boolean isUnsettled() {
      return !ended && System.nanoTime() - until < 0;
    }
  }

  QueueService() {
    server = new LoopbackHttp(this::handle);
  }

  int port() {
    return server.port();
  }

  InMemoryDriver topic(String name) {
    return topics.computeIfAbsent(
        name,
        unused -> new InMemoryDriver(name, BackendFeatures.HTTP, CAPACITY, MailboxClock.system()));
  }

  private void handle(HttpExchange exchange) throws IOException {
    JsonNode request = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/v1/recv/stream")) {
      streams.serve(exchange, request);
      return;
    }
    try {
      LoopbackHttp.answer(exchange, 200, "application/json", answer(path, request).toString());
    } catch (ReceiptHandleExpiredException e) {
      boolean isGone = e.why() == ReceiptHandleExpiredException.Why.GONE;
      ObjectNode problem = MAPPER.createObjectNode().put("msg_id", request.path("msg_id").asText());
      if (!isGone) {
        problem.put("why", "expired");
      }
      LoopbackHttp.answer(
          exchange, isGone ? 404 : 410, "application/problem+json", problem.toString());
    }
  }

  private ObjectNode answer(String path, JsonNode request) {
    ObjectNode answer = MAPPER.createObjectNode();
    switch (path) {
      case "/v1/send" -> answer.setAll(send(request));
      case "/v1/send/batch" -> {
        ArrayNode results = answer.putArray("results");
        request.path("messages").forEach(message -> results.add(send(message)));
      }
      case "/v1/recv" -> receive(request, answer.putArray("messages"));
      case "/v1/ack" -> settle(answer, request, Held::acknowledge);
      case "/v1/ack/batch" -> {
        ArrayNode results = answer.putArray("results");
        request.path("acks").forEach(ack -> settle(results.addObject(), ack, Held::acknowledge));
      }
      case "/v1/nack" ->
          settle(
              answer,
              request,
              held ->
                  held.nack(
                      millis(request.path("delay_ms").asLong()), request.path("reason").asText()));
      case "/v1/extend" ->
          settle(
              answer, request, held -> held.extend(millis(request.path("visibility_ms").asLong())));
      case "/v1/extend/batch" -> {
        ArrayNode results = answer.putArray("results");
        request
            .path("extends")
            .forEach(
                extension ->
                    settle(
                        results.addObject(),
                        extension,
                        held -> held.extend(millis(extension.path("visibility_ms").asLong()))));
      }
      default -> throw new AssertionError(path);
    }
    return answer;
  }

  private ObjectNode send(JsonNode request) {
    Sent sent =
        topic(request.path("topic").asText())
            .send(
                message(
                    Base64.getDecoder().decode(request.path("payload").asText()),
                    request.path("idem_key").asText()));
    return MAPPER.createObjectNode().put("msg_id", sent.id()).put("duplicate", sent.duplicate());
  }

  /** A message whose key no other has. */
  static EncodedMessage message(String body) {
    return message(body.getBytes(UTF_8), UUID.randomUUID().toString());
  }

  private static EncodedMessage message(byte[] body, String key) {
    return new EncodedMessage(
        EncodedBody.of(body), null, key, null, Duration.ZERO, Map.of(), null, null, null);
  }

  /** Waits until so many receives have come. */
  void awaitReceives(int wanted) {
    HttpFixture.await(() -> receives.get() >= wanted);
  }

  private void receive(JsonNode request, ArrayNode messages) {
    receives.incrementAndGet();
    String name = request.path("topic").asText();
    InMemoryDriver queue = topic(name);
    Duration lease = millis(request.path("visibility_ms").asLong());
    for (DriverDelivery delivery : receive(queue, request)) {
      hold(queue, delivery, lease);
      messages.add(leased(name, delivery));
    }
  }

  /** A delivery that can be settled. */
  Held hold(InMemoryDriver queue, DriverDelivery delivery, Duration lease) {
    Held held = new Held(queue, delivery, lease);
    receipts.put(delivery.receiptHandle(), held);
    return held;
  }

  ObjectNode leased(String topic, DriverDelivery delivery) {
    String body = new String(delivery.message().payload().bytes(), UTF_8);
    return ScriptedService.leased(topic, delivery.id(), body, Map.of())
        .put("attempt", delivery.deliveryCount() - unspent.getOrDefault(delivery.id(), 0))
        .put("receipt", delivery.receiptHandle());
  }

  /** Ends a lease as if it had not begun. */
  void giveBack(Held held) {
    if (held.isUnsettled()) {
      unspent.merge(held.id(), 1, Integer::sum);
      held.nack(Duration.ZERO, "");
    }
  }

  int receives() {
    return receives.get();
  }

  private static Iterable<DriverDelivery> receive(InMemoryDriver queue, JsonNode request) {
    try {
      return queue.receive(
          request.path("max_messages").asInt(),
          millis(request.path("visibility_ms").asLong()),
          millis(request.path("wait_ms").asLong()));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void settle(ObjectNode answer, JsonNode request, Consumer<Held> settlement) {
    settlement.accept(requireNonNull(receipts.get(request.path("receipt").asText())));
    answer.put("ok", true);
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Override
  public void close() {
    streams.close();
    server.close();
  }
}
