package org.svcmailbox.bench.latency;

import static org.svcmailbox.bench.load.OpenLoop.Receivers.AT_ONCE;

import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Objective;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.OpenLoop;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code latency}: 1,000 messages a second through SEND, RECV and ACK, timed by
 * clients and by the histograms of the server. Fails if it misses its {@link Objective}.
 */
public final class Latency {
  private static final int PER_SECOND = 1_000;
  private static final String TOPIC = LoadTarget.TOPICS + "latency";

  private Latency() {}

  public static void run(Options options) throws Exception {
    Map<String, String> machine = Machine.facts(options.data());
    try (Server server = Server.start(options, Server.SETTINGS)) {
      LoadTarget client = server.client();
      Progress.say("warming up");
      new OpenLoop(client, TOPIC + ".warm", PER_SECOND, options.warmUp(), AT_ONCE).run();
      String before = server.metrics().text();
      Progress.say(PER_SECOND + " messages a second for " + options.load().toSeconds() + " s");
      OpenLoop.Result seen = new OpenLoop(client, TOPIC, PER_SECOND, options.load(), AT_ONCE).run();
      report(machine, seen, before, server.metrics().text());
    }
  }

  private static void report(
      Map<String, String> machine, OpenLoop.Result seen, String before, String after) {
    Machine.print(machine);
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
    Objective.LATENCY.require("client", Samples.millis(seen.both(), 95));
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
        name, Samples.millis(nanos, 50), Samples.millis(nanos, 95), Samples.millis(nanos, 99));
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
