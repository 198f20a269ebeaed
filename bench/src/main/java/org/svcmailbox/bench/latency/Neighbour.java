package org.svcmailbox.bench.latency;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * The scenario {@code neighbour}: SENDs to one topic while a crowd sends to another, either to many
 * shards or to one that overflows. The machine has the same work in both cases.
 */
public final class Neighbour {
  private static final int CROWD = 16;
  private static final int BATCH = 100;
  private static final int OVERRUN_AT = 1_000;

  /** The size of a worker's inbox, which is the largest capacity of a shard. */
  private static final int INBOX_SIZE = 40_000;

  private static final int SPREAD_SHARDS = 64;
  private static final Pattern RETRY = Pattern.compile("\"retry_after_ms\":(\\d+)");

  private final Options options;
  private final LoadTarget client;
  private final TopicAdmin admin;
  private final Figures figures = new Figures();
  private int topics;

  private Neighbour(Options options, Server server) throws IOException {
    this.options = options;
    this.client = server.client();
    this.admin = new TopicAdmin(server.operator());
  }

  public static void run(Options options) throws Exception {
    try (Server server = Server.start(options, Server.SETTINGS)) {
      Neighbour neighbour = new Neighbour(options, server);
      Progress.say("warming up");
      new SendLoad(neighbour.client, options.work())
          .run(LoadTarget.TOPICS + "warm", 64, options.warmUp());
      for (int round = 1; round <= options.rounds(); round++) {
        Progress.round(round, options.rounds());
        neighbour.measure("alone", 0, SPREAD_SHARDS, OVERRUN_AT);
        neighbour.measure("spread", CROWD, SPREAD_SHARDS, INBOX_SIZE);
        neighbour.measure("overrun", CROWD, 1, OVERRUN_AT);
      }
      neighbour.report();
    }
  }

  private void measure(String name, int crowd, int shards, int capacity) throws Exception {
    String crowded = LoadTarget.TOPICS + "crowd." + topics;
    String probed = LoadTarget.TOPICS + "probe." + topics++;
    admin.create(crowded, "{\"ready_shards\":" + shards + ",\"shard_capacity\":" + capacity + "}");
    admin.create(probed, "{}");
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(crowd + 1);
    try {
      List<Future<Crowd>> senders = new ArrayList<>();
      for (int i = 0; i < crowd; i++) {
        int number = i;
        Callable<Crowd> sender = () -> crowd(crowded, number, over);
        senders.add(threads.submit(sender));
      }
      List<Long> nanos = threads.submit(() -> probe(probed)).get();
      over.set(true);
      long accepted = 0;
      long refused = 0;
      for (Future<Crowd> sender : senders) {
        accepted += sender.get().accepted();
        refused += sender.get().refused();
      }
      double seconds = options.load().toNanos() / 1e9;
      figures.add(name + ".p50_ms", Samples.millis(nanos, 50));
      figures.add(name + ".p99_ms", Samples.millis(nanos, 99));
      figures.add(name + ".accepted_per_second", accepted / seconds);
      figures.add(name + ".refused_per_second", refused / seconds);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    admin.delete(crowded);
    admin.delete(probed);
  }

  /** Sends in a closed loop for the length of a load. */
  private List<Long> probe(String topic) throws IOException {
    List<Long> nanos = new ArrayList<>();
    long end = System.nanoTime() + options.load().toNanos();
    try (HttpConnection connection = new HttpConnection(client)) {
      for (int i = 0; System.nanoTime() < end; i++) {
        long before = System.nanoTime();
        connection.post("/v1/send", Messages.one(topic, "probe-" + i));
        nanos.add(System.nanoTime() - before);
      }
    }
    return nanos;
  }

  /** Messages of one sender. */
  private record Crowd(long accepted, long refused) {}

  /** Sends batches in a closed loop; after a refusal it waits as long as the server asks. */
  private Crowd crowd(String topic, int number, AtomicBoolean over) throws IOException {
    long sent = 0;
    long refused = 0;
    try (HttpConnection connection = new HttpConnection(client)) {
      for (int batch = 0; !over.get(); batch++) {
        String prefix = number + "-" + batch + "-";
        String answer =
            connection.post("/v1/send/batch", Messages.batch(topic, BATCH, i -> prefix + i));
        long wait = 0;
        Matcher retry = RETRY.matcher(answer);
        while (retry.find()) {
          refused++;
          wait = Math.max(wait, Long.parseLong(retry.group(1)));
        }
        sent += BATCH;
        LockSupport.parkNanos(Duration.ofMillis(wait).toNanos());
      }
    }
    return new Crowd(sent - refused, refused);
  }

  private void report() {
    System.out.println("| the crowd | SEND p50 ms | p99 ms | crowd accepted/s | refused/s |");
    System.out.println("|---|---|---|---|---|");
    for (String name : List.of("alone", "spread", "overrun")) {
      System.out.printf(
          "| %s | %.2f | %.2f | %,.0f | %,.0f |%n",
          name,
          figures.median(name + ".p50_ms"),
          figures.median(name + ".p99_ms"),
          figures.median(name + ".accepted_per_second"),
          figures.median(name + ".refused_per_second"));
    }
    System.out.printf(
        "%np99 overrun / spread: %.2f%n",
        figures.median("overrun.p99_ms") / figures.median("spread.p99_ms"));
  }
}
