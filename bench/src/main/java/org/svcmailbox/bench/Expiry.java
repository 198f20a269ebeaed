package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * How long SENDs to one topic take at a fixed rate while the messages of another expire, all at
 * once, until the last one is a dead letter; and before, while these only wait.
 */
final class Expiry {
  private static final int RATE = 1_000;
  private static final int SENDERS = 16;
  private static final int BATCH = 100;

  /** Slower than any server fills a topic. */
  private static final int FILLED_PER_SECOND = 4_000;

  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Options options;
  private final LoadTarget client;
  private final LoadTarget operator;
  private final Figures figures = new Figures();
  private final int rate;

  /** A SEND: when it was due, and the nanoseconds from then until its answer. */
  private record Taken(long due, long nanos) {}

  private Expiry(Options options, Server server) throws IOException {
    this.options = options;
    this.client = server.client();
    this.operator = server.operator();
    this.rate = options.rate() == 0 ? RATE : options.rate();
  }

  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Path output = options.work().resolve("server.txt");
    try (Server server = Server.start(options.home(), data, output, Bench.SETTINGS)) {
      Expiry expiry = new Expiry(options, server);
      Bench.say("warming up");
      new SendLoad(expiry.client, options.work())
          .run(LoadTarget.TOPICS + "warm", 64, options.warmUp());
      for (int round = 1; round <= options.rounds(); round++) {
        Bench.say("round " + round + " of " + options.rounds());
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
      Future<List<Taken>> probe = thread.submit(() -> probe(probed, over));
      long first = await(dying, status -> status.path("ready").asLong() < options.backlog());
      long last = await(dying, status -> status.path("dlq").asLong() == options.backlog());
      over.set(last);
      List<Taken> all = probe.get();
      note("waiting", all.stream().filter(one -> one.due() - expiresAt < 0).toList());
      note("expiring", all.stream().filter(one -> one.due() - first >= 0).toList());
      figures.add("sorted.per_second", options.backlog() / ((last - first) / 1e9));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      over.set(Long.MIN_VALUE);
      thread.shutdownNow();
    }
    call("DELETE", dying);
    call("DELETE", probed);
  }

  /** Each message expires at the same moment. */
  private void fill(String topic, long expiresAt) throws IOException {
    try (HttpConnection connection = new HttpConnection(client)) {
      for (int done = 0; done < options.backlog(); done += BATCH) {
        int first = done;
        long ttl = Duration.ofNanos(expiresAt - System.nanoTime()).toMillis();
        String batch = Messages.batch(topic, BATCH, i -> "k" + (first + i));
        String mortal = batch.replace("\"topic\"", "\"ttl_ms\":" + ttl + ",\"topic\"");
        if (connection.post("/v1/send/batch", mortal).contains("\"error\"")) {
          throw new IOException("not every message was accepted");
        }
      }
    }
  }

  /** The moment at which the topic is seen to be as {@code wanted}. */
  private long await(String topic, Predicate<JsonNode> wanted) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      if (wanted.test(new ObjectMapper().readTree(call("GET", topic)))) {
        return System.nanoTime();
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    throw new IllegalStateException("the messages are not dead letters yet: " + call("GET", topic));
  }

  private List<Taken> probe(String topic, AtomicLong over) throws InterruptedException {
    long interval = Duration.ofSeconds(1).toNanos() / rate;
    AtomicInteger next = new AtomicInteger();
    AtomicLong start = new AtomicLong();
    MailboxProtocol protocol = new MailboxProtocol(client, operator);
    return SenderGroup.run(
            SENDERS,
            number -> new HttpSender(client, protocol, topic, number),
            () -> start.compareAndSet(0, System.nanoTime()),
            sender -> {
              List<Taken> taken = new ArrayList<>();
              long due = start.get();
              while (over.get() - due > 0) {
                due = start.get() + next.getAndIncrement() * interval;
                LockSupport.parkNanos(due - System.nanoTime());
                sender.send(1);
                taken.add(new Taken(due, System.nanoTime() - due));
              }
              return taken;
            })
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private void note(String name, List<Taken> taken) {
    List<Long> nanos = taken.stream().map(Taken::nanos).toList();
    figures.add(name + ".p50_ms", Samples.percentile(nanos, 50) / 1e6);
    figures.add(name + ".p99_ms", Samples.percentile(nanos, 99) / 1e6);
    figures.add(name + ".max_ms", Samples.percentile(nanos, 100) / 1e6);
  }

  private String call(String method, String topic) throws IOException {
    try (HttpConnection connection = new HttpConnection(operator)) {
      return connection.call(method, "/v1/topics/" + topic, "");
    }
  }

  private void report() {
    System.out.printf("%,d messages, %,d SENDs a second%n%n", options.backlog(), rate);
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
