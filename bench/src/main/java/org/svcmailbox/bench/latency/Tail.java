package org.svcmailbox.bench.latency;

import static org.svcmailbox.bench.load.OpenLoop.Receivers.IN_BULK;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.OpenLoop;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.machine.DiskWatch;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Pauses;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.machine.Span;
import org.svcmailbox.bench.machine.SyncProbe;
import org.svcmailbox.bench.machine.Watch;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code tail}: the slowest SENDs at half of the highest rate, and what the server did
 * while it answered none.
 */
public final class Tail {
  private static final String TOPIC = LoadTarget.TOPICS + "tail";
  private static final int CONNECTIONS = 64;
  private static final Duration MAX_RATE_TIME = Duration.ofSeconds(10);
  private static final int GAPS = 10;

  private final Options options;
  private final Server server;
  private final Path data;

  private Tail(Options options, Server server, Path data) {
    this.options = options;
    this.server = server;
    this.data = data;
  }

  public static void run(Options options) throws Exception {
    Path data = options.data();
    Map<String, String> machine = Machine.facts(data);
    try (Server server = Server.start(options, Server.SETTINGS)) {
      Machine.print(machine);
      new Tail(options, server, data).measure();
    }
  }

  private void measure() throws Exception {
    Progress.say("warming up for " + options.warmUp().toSeconds() + " s");
    closedLoop(options.warmUp());
    int rate = options.rate() > 0 ? options.rate() : half(closedLoop(MAX_RATE_TIME));
    openLoop(TOPIC + ".warm", rate, MAX_RATE_TIME);
    Progress.say(rate + " messages a second for " + options.load().toSeconds() + " s");
    Path log = data.resolve("pauses.txt");
    Pauses.log(server.pid(), log, options.work());
    Watch disk = new DiskWatch(data).begin();
    Watch beside = new SyncProbe(options.work()).begin();
    OpenLoop.Result seen = openLoop(TOPIC, rate, options.load());
    List<Span> events = new ArrayList<>(disk.end());
    events.addAll(beside.end());
    events.addAll(Pauses.read(log));
    report(rate, seen, events);
  }

  /** Half of a rate, for the open loop. */
  static int half(double perSecond) {
    return Math.max(1, (int) (perSecond / 2));
  }

  private double closedLoop(Duration lasting) throws IOException, InterruptedException {
    String topic = TOPIC + ".most";
    double reached =
        new SendLoad(server.client(), options.work()).run(topic, CONNECTIONS, lasting).perSecond();
    new TopicAdmin(server.operator()).delete(topic);
    return reached;
  }

  private OpenLoop.Result openLoop(String topic, int rate, Duration lasting)
      throws IOException, InterruptedException {
    return new OpenLoop(server.client(), topic, rate, lasting, IN_BULK).run();
  }

  private static void report(int rate, OpenLoop.Result seen, List<Span> events) {
    System.out.printf("%n%d SENDs a second, ms from when each was to be sent:%n%n", rate);
    System.out.printf("| p50 | p95 | p99 | p99.9 | max |%n|---|---|---|---|---|%n");
    System.out.printf(
        "| %s |%n",
        Samples.percentiles(seen.enqueue(), 50, 95, 99, 99.9, 100).stream()
            .map(nanos -> String.format("%.2f", nanos / 1e6))
            .collect(Collectors.joining(" | ")));
    List<Span> gaps = Stalls.between(seen.answered(), seen.start());
    System.out.printf(
        "%nStalls of more than %d ms: %d; the longest times without an answer:%n%n",
        Stalls.LIMIT.toMillis(), Stalls.count(gaps));
    System.out.printf("| after s | ms | meanwhile |%n|---|---|---|%n");
    gaps.stream().limit(GAPS).forEach(gap -> row(gap, seen.start(), events));
    System.out.printf("%n| what | times | longest ms | together ms |%n|---|---|---|---|%n");
    events.stream().collect(Collectors.groupingBy(Span::what)).forEach(Tail::sum);
  }

  private static void row(Span gap, long start, List<Span> events) {
    String meanwhile =
        events.stream()
            .filter(gap::overlaps)
            .map(event -> String.format("%s %.0f ms", event.what(), event.millis()))
            .collect(Collectors.joining(", "));
    System.out.printf(
        "| %.1f | %.0f | %s |%n", (gap.from() - start) / 1e9, gap.millis(), meanwhile);
  }

  private static void sum(String what, List<Span> spans) {
    double longest =
        spans.stream().max(Comparator.comparingLong(Span::nanos)).orElseThrow().millis();
    double together = spans.stream().mapToDouble(Span::millis).sum();
    System.out.printf("| %s | %d | %.1f | %.0f |%n", what, spans.size(), longest, together);
  }
}
