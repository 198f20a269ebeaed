package org.svcmailbox.bench.latency;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.latency.SendProbe.Taken;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code expiry}: SENDs to one topic at a fixed rate while all messages of another
 * expire at once, and before, while these wait.
 */
public final class Expiry {
  private static final int RATE = 1_000;
  private static final int BATCH = 100;

  /** A rate at which every server fills a topic. */
  private static final int FILLED_PER_SECOND = 4_000;

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Options options;
  private final LoadTarget client;
  private final TopicAdmin admin;
  private final Figures figures = new Figures();
  private final SendProbe probe;

  private Expiry(Options options, Server server) throws IOException {
    this.options = options;
    this.client = server.client();
    this.admin = new TopicAdmin(server.operator());
    this.probe = new SendProbe(client, server.operator(), options.rateOr(RATE));
  }

  public static void run(Options options) throws Exception {
    try (Server server = Server.start(options, Server.SETTINGS)) {
      Expiry expiry = new Expiry(options, server);
      Progress.say("warming up");
      new SendLoad(expiry.client, options.work())
          .run(LoadTarget.TOPICS + "warm", 64, options.warmUp());
      for (int round = 1; round <= options.rounds(); round++) {
        Progress.round(round, options.rounds());
        expiry.measure(round);
      }
      expiry.report();
    }
  }

  private void measure(int round) throws Exception {
    String dying = LoadTarget.TOPICS + "dying." + round;
    String probed = LoadTarget.TOPICS + "probe." + round;
    Duration filling = Duration.ofSeconds(options.backlog() / FILLED_PER_SECOND + 5);
    long expiresAt = System.nanoTime() + filling.plus(options.load()).toNanos();
    fill(dying, expiresAt);
    long begin = expiresAt - options.load().toNanos();
    if (System.nanoTime() - begin > 0) {
      throw new IllegalStateException("the topic was not filled in time");
    }
    LockSupport.parkNanos(begin - System.nanoTime());
    AtomicLong over = new AtomicLong(Long.MAX_VALUE);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<List<Taken>> sends = thread.submit(() -> probe.run(probed, over::get));
      long first = await(dying, status -> status.path("ready").asLong() < options.backlog());
      long last = await(dying, status -> status.path("dlq").asLong() == options.backlog());
      over.set(last);
      List<Taken> all = sends.get();
      add("waiting", all.stream().filter(one -> one.due() - expiresAt < 0).toList());
      add("expiring", all.stream().filter(one -> one.due() - first >= 0).toList());
      figures.add("sorted.per_second", options.backlog() / ((last - first) / 1e9));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      over.set(Long.MIN_VALUE);
      thread.shutdownNow();
    }
    admin.delete(dying);
    admin.delete(probed);
  }

  /** Fills a topic with messages that all expire at one moment. */
  private void fill(String topic, long expiresAt) throws IOException {
    try (HttpConnection connection = new HttpConnection(client)) {
      for (int done = 0; done < options.backlog(); done += BATCH) {
        int first = done;
        long ttl = Duration.ofNanos(expiresAt - System.nanoTime()).toMillis();
        String batch = Messages.batch(topic, BATCH, i -> "k" + (first + i));
        String mortal = batch.replace("\"topic\"", "\"ttl_ms\":" + ttl + ",\"topic\"");
        connection.postBatch("/v1/send/batch", mortal);
      }
    }
  }

  /** Waits until the status is as {@code wanted} and returns the moment. */
  private long await(String topic, Predicate<JsonNode> wanted) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      if (wanted.test(admin.status(topic))) {
        return System.nanoTime();
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
    throw new IllegalStateException(
        "the messages are not dead letters yet: " + admin.status(topic));
  }

  private void add(String name, List<Taken> taken) {
    List<Long> nanos = taken.stream().map(Taken::nanos).toList();
    figures.add(name + ".p50_ms", Samples.millis(nanos, 50));
    figures.add(name + ".p99_ms", Samples.millis(nanos, 99));
    figures.add(name + ".max_ms", Samples.millis(nanos, 100));
  }

  private void report() {
    System.out.printf("%,d messages, %,d SENDs a second%n%n", options.backlog(), probe.perSecond());
    System.out.println("| the messages | SEND p50 ms | p99 ms | longest ms |");
    System.out.println("|---|---|---|---|");
    for (String name : List.of("waiting", "expiring")) {
      System.out.printf(
          "| %s | %.2f | %.2f | %.0f |%n",
          name,
          figures.median(name + ".p50_ms"),
          figures.median(name + ".p99_ms"),
          figures.median(name + ".max_ms"));
    }
    System.out.printf(
        "%np99 expiring / waiting: %.2f; %,.0f messages sorted a second%n",
        figures.median("expiring.p99_ms") / figures.median("waiting.p99_ms"),
        figures.median("sorted.per_second"));
  }
}
