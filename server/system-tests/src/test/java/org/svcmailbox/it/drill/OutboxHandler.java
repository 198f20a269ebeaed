package org.svcmailbox.it.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

/**
 * The handler of an application. The payload says what it answers, and how its first call goes: it
 * is late, is cut off or asks for another one. The path of a call names the worker.
 */
final class OutboxHandler {
  /** The answer of a call that is cut off before its status. */
  static final int CUT = 0;

  /** A payload that is answered at once. */
  static final String CALM = "{\"answer\":200}";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int UNAVAILABLE = 503;
  private static final int LONGEST_MILLIS = 800;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Map<String, List<Integer>> answers = new ConcurrentHashMap<>();
  private final Map<String, String> running = new ConcurrentHashMap<>();
  private final Set<String> dead = ConcurrentHashMap.newKeySet();
  private final Set<String> overlaps = ConcurrentHashMap.newKeySet();
  private final Collection<String> processed = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable Hold hold;

  /** Calls of one worker that do not end before they may. */
  private record Hold(String worker, AtomicInteger held, CompletableFuture<Void> release) {}

  /** A payload that is answered so in the end. */
  static String payload(int answer, Random random) {
    return switch (random.nextInt(30)) {
      case 0 -> payload(answer, "slow", 1 + random.nextInt(LONGEST_MILLIS));
      case 1 -> payload(answer, "first", CUT);
      case 2 -> payload(answer, "first", UNAVAILABLE);
      default -> "{\"answer\":" + answer + "}";
    };
  }

  private static String payload(int answer, String field, int value) {
    return "{\"answer\":" + answer + ",\"" + field + "\":" + value + "}";
  }

  void handle(HttpExchange exchange) throws IOException {
    JsonNode event = MAPPER.readTree(LoopbackHttp.body(exchange));
    String id = event.path("message_id").asText();
    String worker = exchange.getRequestURI().getPath().substring(1);
    String other = running.put(id, worker);
    if (other != null && !dead.contains(other)) {
      overlaps.add(id + " by " + other + " and " + worker);
    }
    int status;
    try {
      status = work(id, worker, event.path("payload"));
    } finally {
      running.remove(id, worker);
    }
    if (status == CUT) {
      exchange.close();
    } else {
      LoopbackHttp.answer(exchange, status, "text/plain", "answer " + status);
    }
  }

  private int work(String id, String worker, JsonNode payload) {
    List<Integer> before = answers.computeIfAbsent(id, unseen -> new CopyOnWriteArrayList<>());
    boolean isFirst = before.isEmpty();
    Hold held = hold;
    if (held != null && held.worker().equals(worker)) {
      held.held().incrementAndGet();
      held.release().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
    if (isFirst) {
      LockSupport.parkNanos(Duration.ofMillis(payload.path("slow").asInt()).toNanos());
    }
    int last = payload.path("answer").asInt();
    int status = isFirst ? payload.path("first").asInt(last) : last;
    if (status == WrittenEvent.PROCESSED && !before.contains(status)) {
      processed.add(id);
    }
    before.add(status);
    calls.incrementAndGet();
    return status;
  }

  /** Has a worker's calls wait, and returns when one does. */
  void hold(String worker) {
    Hold held = new Hold(worker, new AtomicInteger(), new CompletableFuture<>());
    hold = held;
    Deadline.in(PATIENCE).await(() -> held.held().get() > 0, () -> "a call of " + worker);
  }

  /** Lets the calls end that wait. */
  void release() {
    Hold held = hold;
    hold = null;
    if (held != null) {
      held.release().complete(null);
    }
  }

  /**
   * A worker is about to die. The calls that it made may go on here, or begin late, while another
   * calls again.
   */
  void dies(String worker) {
    dead.add(worker);
  }

  /** A dead worker is about to start. */
  void starts(String worker) {
    running.values().removeIf(worker::equals);
    dead.remove(worker);
  }

  /** The sessions that guard messages are lost: copies that are handled now may meet. */
  void forgetAll() {
    running.clear();
  }

  /** How many calls there were. */
  int calls() {
    return calls.get();
  }

  /** How many events it has seen. */
  int events() {
    return answers.size();
  }

  /** The answers to each event, in order. */
  Map<String, List<Integer>> answers() {
    return Map.copyOf(answers);
  }

  /** The events that were called twice at the same time. */
  List<String> overlaps() {
    return List.copyOf(overlaps);
  }

  /** The ids of processed events, in the order of their first answers. */
  List<String> processed() {
    return List.copyOf(processed);
  }
}
