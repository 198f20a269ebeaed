package org.svcmailbox.bench;

import static org.svcmailbox.bench.OpenLoop.Receivers.AT_ONCE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A thousand messages of 1 KiB a second through SEND, RECV and ACK: how long each takes to go in,
 * to come out, and both, as clients see it and as the server's own histograms have it. Fails when
 * it misses its {@link Objective}.
 */
final class Latency {
  private static final int PER_SECOND = 1_000;
  private static final String TOPIC = LoadTarget.TOPICS + "latency";

  private Latency() {}

  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    Path output = options.work().resolve("server.txt");
    try (Server server = Server.start(options.home(), data, output, Bench.SETTINGS)) {
      LoadTarget client = server.client();
      Bench.say("warming up");
      new OpenLoop(client, TOPIC + ".warm", PER_SECOND, options.warmUp(), AT_ONCE).run();
      String before = server.metrics();
      Bench.say(PER_SECOND + " messages a second for " + options.load().toSeconds() + " s");
      OpenLoop.Result seen = new OpenLoop(client, TOPIC, PER_SECOND, options.load(), AT_ONCE).run();
      report(machine, seen, before, server.metrics());
    }
  }

  private static void report(
      Map<String, String> machine, OpenLoop.Result seen, String before, String after) {
    machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
    System.out.printf("%n| ms | p50 | p95 | p99 |%n|---|---|---|---|%n");
    row("enqueue, client", seen.enqueue());
    row("dequeue, client", seen.dequeue());
    row("enqueue + dequeue, client", seen.both());
    HistogramBuckets enqueue = added("enqueue_latency_seconds", before, after);
    HistogramBuckets dequeue = added("dequeue_latency_seconds", before, after);
    row("enqueue, server", enqueue);
    row("dequeue, server", dequeue);
    System.out.printf(
        "| enqueue + dequeue, server | %.2f | %.2f | %.2f |%n",
        both(enqueue, dequeue, 50), both(enqueue, dequeue, 95), both(enqueue, dequeue, 99));
    row("ack, server", added("ack_latency_seconds", before, after));
    Objective.LATENCY.require("client", Samples.percentile(seen.both(), 95) / 1e6);
    Objective.LATENCY.require("server", both(enqueue, dequeue, 95));
  }

  private static HistogramBuckets added(String name, String before, String after) {
    return HistogramBuckets.of(after, name).since(HistogramBuckets.of(before, name));
  }

  private static double both(HistogramBuckets one, HistogramBuckets other, double percent) {
    return (one.percentile(percent) + other.percentile(percent)) * 1e3;
  }

  private static void row(String name, List<Long> nanos) {
    System.out.printf(
        "| %s | %.2f | %.2f | %.2f |%n",
        name,
        Samples.percentile(nanos, 50) / 1e6,
        Samples.percentile(nanos, 95) / 1e6,
        Samples.percentile(nanos, 99) / 1e6);
  }

  private static void row(String name, HistogramBuckets buckets) {
    System.out.printf(
        "| %s | %.2f | %.2f | %.2f |%n",
        name,
        buckets.percentile(50) * 1e3,
        buckets.percentile(95) * 1e3,
        buckets.percentile(99) * 1e3);
  }
}
