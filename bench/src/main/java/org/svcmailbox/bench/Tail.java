package org.svcmailbox.bench;

import static org.svcmailbox.bench.OpenLoop.Receivers.IN_BULK;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How long the slowest SENDs take at half of what the server can do, and what it was doing while
 * nothing was answered.
 */
final class Tail {
  private static final String TOPIC = LoadTarget.TOPICS + "tail";
  private static final int CONNECTIONS = 64;
  private static final Duration MOST_LASTING = Duration.ofSeconds(10);
  private static final int GAPS = 10;

  private final Options options;
  private final Server server;
  private final Path data;

  private Tail(Options options, Server server, Path data) {
    this.options = options;
    this.server = server;
    this.data = data;
  }

  static void run(Options options) throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    Path output = options.work().resolve("server.txt");
    try (Server server = Server.start(options.home(), data, output, Bench.SETTINGS)) {
      machine.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
      new Tail(options, server, data).measure();
    }
  }

  private void measure() throws Exception {
    Bench.say("warming up for " + options.warmUp().toSeconds() + " s");
    closedLoop(options.warmUp());
    int rate = options.rate() > 0 ? options.rate() : half(closedLoop(MOST_LASTING));
    openLoop(TOPIC + ".warm", rate, MOST_LASTING);
    Bench.say(rate + " messages a second for " + options.load().toSeconds() + " s");
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

  /** The rate for an open loop. */
  static int half(double perSecond) {
    return Math.max(1, (int) (perSecond / 2));
  }

  private double closedLoop(Duration lasting) throws IOException, InterruptedException {
    String topic = TOPIC + ".most";
    double reached =
        new SendLoad(server.client(), options.work()).run(topic, CONNECTIONS, lasting).perSecond();
    try (HttpConnection connection = new HttpConnection(server.operator())) {
      connection.call("DELETE", "/v1/topics/" + topic, "");
    }
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
    gaps.stream().limit(GAPS).forEach(gap -> tell(gap, seen.start(), events));
    System.out.printf("%n| what | times | longest ms | together ms |%n|---|---|---|---|%n");
    events.stream().collect(Collectors.groupingBy(Span::what)).forEach(Tail::sum);
  }

  private static void tell(Span gap, long start, List<Span> events) {
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
