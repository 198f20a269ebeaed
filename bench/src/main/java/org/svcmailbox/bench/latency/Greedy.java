package org.svcmailbox.bench.latency;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code greedy}: the calls of one caller, while another one takes all that it gets of
 * a bound that both share. The quiet one sends, receives and acknowledges one message after the
 * other.
 */
public final class Greedy {
  /** Few enough to be used up within a load. */
  private static final Map<String, String> SETTINGS =
      Map.of("MAILBOX_DEDUP_CAPACITY", "100000", "MAILBOX_MAX_WAITING", "500");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Options options;
  private final Server server;
  private final TopicAdmin admin;
  private final Figures figures = new Figures();
  private final Map<Greed, Long> refused = new HashMap<>();
  private int topics;

  private Greedy(Options options, Server server) throws IOException {
    this.options = options;
    this.server = server;
    this.admin = new TopicAdmin(server.operator());
  }

  public static void run(Options options) throws Exception {
    try (Server server = Server.start(options, SETTINGS)) {
      Greedy greedy = new Greedy(options, server);
      Progress.say("warming up");
      new SendLoad(server.client(), options.work())
          .run(LoadTarget.TOPICS + "warm", 4, options.load());
      for (int round = 1; round <= options.rounds(); round++) {
        Progress.round(round, options.rounds());
        for (Greed greed : Greed.values()) {
          greedy.measure(greed);
        }
      }
      greedy.report();
    }
  }

  private void measure(Greed greed) throws Exception {
    String quiet = LoadTarget.TOPICS + "quiet." + topics;
    String loud = LoadTarget.TOPICS + "loud." + topics++;
    // The quiet one's own keys of a minute would fill what others leave of so small a table.
    admin.create(quiet, "{\"t_replay\":\"1s\"}");
    // The other one's stay taken for longer than the load.
    admin.create(loud, "{\"t_replay\":\"600s\"}");
    LoadTarget own = server.mint("");
    LoadTarget other = server.mint(greed == Greed.STREAMS ? "\"ops = peek\"" : "");
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> taking =
          threads.submit(
              () -> {
                greed.take(other, loud, over);
                return over;
              });
      List<Long> nanos = threads.submit(() -> calls(greed, own, quiet)).get();
      over.set(true);
      Object unused = taking.get();
      figures.add(greed + ".p50_ms", Samples.millis(nanos, 50));
      figures.add(greed + ".p99_ms", Samples.millis(nanos, 99));
      figures.add(greed + ".calls", nanos.size());
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    admin.delete(loud);
    admin.delete(quiet);
  }

  /** Calls in a closed loop for the length of a load. */
  private List<Long> calls(Greed greed, LoadTarget own, String topic) throws IOException {
    List<Long> nanos = new ArrayList<>();
    String recv = "{\"topic\":\"" + topic + "\"}";
    long end = System.nanoTime() + options.load().toNanos();
    try (HttpConnection connection = new HttpConnection(own)) {
      for (int i = 0; System.nanoTime() < end; i++) {
        call(greed, connection, "/v1/send", Messages.one(topic, "k-" + i), nanos);
        String got = call(greed, connection, "/v1/recv", recv, nanos);
        JsonNode message = JSON.readTree(got).path("messages").path(0);
        if (message.has("msg_id")) {
          String ack = "{\"msg_id\":\"" + message.path("msg_id").asText() + "\"}";
          String unused = call(greed, connection, "/v1/ack", ack, nanos);
        }
      }
    }
    return nanos;
  }

  private String call(
      Greed greed, HttpConnection connection, String path, String json, List<Long> nanos)
      throws IOException {
    long before = System.nanoTime();
    String answer = connection.tried(path, json);
    nanos.add(System.nanoTime() - before);
    if (answer.contains("\"code\":\"E_")) {
      refused.merge(greed, 1L, Long::sum);
    }
    return answer;
  }

  private void report() {
    System.out.println("| the other one takes | calls | p50 ms | p99 ms | p99 / alone | refused |");
    System.out.println("|---|---|---|---|---|---|");
    double alone = figures.median(Greed.ALONE + ".p99_ms");
    for (Greed greed : Greed.values()) {
      System.out.printf(
          "| %s | %,.0f | %.2f | %.2f | %.2f | %,d |%n",
          greed.name().toLowerCase(Locale.ROOT),
          figures.median(greed + ".calls"),
          figures.median(greed + ".p50_ms"),
          figures.median(greed + ".p99_ms"),
          figures.median(greed + ".p99_ms") / alone,
          refused.getOrDefault(greed, 0L));
    }
  }
}
