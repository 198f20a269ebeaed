package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.memory.InMemoryDriver;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.test.net.LoopbackHttp;

/** The streams of a service in this process: their windows, and what a cut means. */
final class QueueStreams implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration STEP = Duration.ofMillis(5);
  private static final int STEPS_PER_HEARTBEAT = 4;

  private final QueueService service;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<String, Open> known = new ConcurrentHashMap<>();
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private volatile boolean closed;
  private volatile int refusedWith;

  /** A stream, open or cut. */
  private static final class Open {
    private final String id;
    private final Map<Long, QueueService.Held> passed = new TreeMap<>();
    private long last;
    private final CountDownLatch over = new CountDownLatch(1);
    private List<QueueService.Held> unsettled = new ArrayList<>();
    private volatile @Nullable String ending;

    Open(String id) {
      this.id = id;
    }

    long pass(QueueService.Held held) {
      passed.put(++last, held);
      unsettled.add(held);
      return last;
    }

    int unsettled() {
      unsettled.removeIf(held -> !held.isUnsettled());
      return unsettled.size();
    }
  }

  QueueStreams(QueueService service) {
    this.service = service;
  }

  /** The bodies of the requests, in order. */
  List<JsonNode> requests() {
    return requests;
  }

  /** How many streams are open. */
  int open() {
    return (int) known.values().stream().filter(open -> open.over.getCount() > 0).count();
  }

  /** Ends what is open, with a reason, or without a line if it is empty. */
  void endAll(String reason) {
    known.values().forEach(open -> open.ending = reason);
  }

  /** From now on no stream is opened; 0 for the usual. */
  void refuse(int status) {
    refusedWith = status;
  }

  /** As after a restart. */
  void forget() {
    known.clear();
  }

  void serve(HttpExchange exchange, JsonNode request) throws IOException {
    requests.add(request);
    if (refusedWith != 0) {
      LoopbackHttp.answer(exchange, refusedWith, "application/problem+json", "{}");
      return;
    }
    String resumed = request.path("resume").path("stream").asText();
    if (!resumed.isEmpty() && !known.containsKey(resumed)) {
      LoopbackHttp.answer(exchange, 404, "application/problem+json", "{\"status\":404}");
      return;
    }
    Open open = new Open("s" + ids.incrementAndGet());
    try {
      resume(open, request.path("resume"));
      known.put(open.id, open);
      exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
      exchange.sendResponseHeaders(200, 0);
      pump(open, request, exchange.getResponseBody());
    } catch (IOException e) {
      // Cut.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.over.countDown();
      exchange.close();
    }
  }

  private void resume(Open open, JsonNode resume) throws InterruptedException {
    Open before = known.remove(resume.path("stream").asText());
    if (before != null) {
      before.ending = "";
      before.over.await();
      open.last = resume.path("last").asLong();
      before.passed.forEach(
          (number, held) -> {
            if (number > open.last) {
              service.giveBack(held);
            }
          });
      open.unsettled = before.unsettled;
    }
  }

  private void pump(Open open, JsonNode request, OutputStream out)
      throws IOException, InterruptedException {
    String topic = request.path("topic").asText();
    InMemoryDriver queue = service.topic(topic);
    Duration lease = Duration.ofMillis(request.path("visibility_ms").asLong());
    int window = request.path("window").asInt();
    write(out, line("open").put("stream", open.id).put("window", window));
    for (int step = 1; open.ending == null && !closed; step++) {
      List<DriverDelivery> next =
          open.unsettled() < window ? queue.receive(1, lease, STEP) : rest();
      for (DriverDelivery delivery : next) {
        QueueService.Held held = service.hold(queue, delivery, lease);
        ObjectNode message = line("message").put("n", open.pass(held));
        message.set("message", service.leased(topic, delivery));
        write(out, message);
      }
      if (step % STEPS_PER_HEARTBEAT == 0) {
        write(out, line("heartbeat").put("unsettled", open.unsettled.size()));
      }
    }
    String ending = open.ending;
    if (ending != null && !ending.isEmpty()) {
      if (ending.equals("drain")) {
        known.remove(open.id);
      }
      write(out, line("end").put("reason", ending));
    }
  }

  private static List<DriverDelivery> rest() throws InterruptedException {
    Thread.sleep(STEP.toMillis());
    return List.of();
  }

  private static ObjectNode line(String type) {
    return MAPPER.createObjectNode().put("type", type);
  }

  private static void write(OutputStream out, ObjectNode line) throws IOException {
    out.write((line + "\n").getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    closed = true;
  }
}
