package org.svcmailbox.bench.stream;

import static org.svcmailbox.bench.report.Markdown.decimal;
import static org.svcmailbox.bench.report.Markdown.each;
import static org.svcmailbox.bench.report.Markdown.fine;
import static org.svcmailbox.bench.report.Markdown.whole;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.figure.Bound;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.report.Markdown;
import org.svcmailbox.bench.report.ReportPage;

/** The tables of the scenario {@code streams}. A missed goal fails no run. */
final class StreamReport {
  static final List<Integer> BATCHES = List.of(10, 50);
  static final List<Integer> PERCENTS = List.of(50, 99);

  private static final List<Compared> COMPARED =
      List.of(
          new Compared(
              "NDJSON, ACK of at most 10", "recv.ndjson.10", "recv.http", Bound.atLeast(1.3)),
          new Compared(
              "NDJSON, ACK of at most 50", "recv.ndjson.50", "recv.http", Bound.atLeast(1.3)),
          new Compared("RecvStream, settles 10", "recv.grpc.10", "recv.http", Bound.atLeast(2)),
          new Compared("RecvStream, settles 50", "recv.grpc.50", "recv.http", Bound.atLeast(2)),
          new Compared(
              "SendStream, batches of 100", "send.grpc", "send.artemis", atLeastOfBroker()),
          new Compared("HTTP, batches of 100", "send.http", "send.artemis", atLeastOfBroker()),
          new Compared("SEND beside idle streams", "idle.both", "idle.none", Bound.atLeast(0.97)));

  private static final Map<String, String> PEERS =
      Map.of(
          "recv.http", "HTTP JSON, RECV 10 + ACK 10",
          "send.artemis", "Artemis core client",
          "idle.none", "SEND without streams");

  private static final Bound CALLBACK_MILLIS = Bound.atMost(2);
  private static final Bound IDLE_KIB = Bound.atMost(32);
  private static final Bound STALLED_RATIO = Bound.atMost(1.5);

  private final Figures figures;
  private final ReportPage page;

  /** Two variants of one work. */
  private record Compared(String title, String key, String peer, Bound wanted) {}

  StreamReport(Map<String, String> machine, Figures figures, Options options) {
    this.figures = figures;
    page = new ReportPage("streams", machine, figures, options);
  }

  private static Bound atLeastOfBroker() {
    return Bound.atLeast(0.6);
  }

  void publish() throws IOException {
    page.publish(markdown(), Map.of());
  }

  /** The page in docs. */
  String document() throws IOException {
    return page.document(markdown());
  }

  /** The tables of the parts that were measured. */
  String markdown() {
    StringBuilder text = new StringBuilder(page.facts());
    text.append("\n| work | peer | messages/s | the peer's | ratio | wanted | reached ")
        .append("| each round | CPU us | the peer's | ratio |\n")
        .append("|---|---|---|---|---|---|---|---|---|---|---|\n");
    COMPARED.stream().filter(one -> isMeasured(one.key())).forEach(one -> text.append(line(one)));
    text.append("\n| | figure | wanted | reached | each round |\n|---|---|---|---|---|\n");
    for (String door : List.of("ndjson", "grpc")) {
      text.append(callback(door));
      text.append(heap(door));
    }
    return text.append(stalled()).toString();
  }

  private boolean isMeasured(String key) {
    return !figures.of(StreamFigures.rate(key)).isEmpty();
  }

  private String line(Compared one) {
    String rate = StreamFigures.rate(one.key());
    String peerRate = StreamFigures.rate(one.peer());
    List<Double> ratios = StreamFigures.ratios(figures, rate, peerRate);
    double ratio = Samples.median(ratios);
    String cpu = StreamFigures.cpu(one.key());
    String peerCpu = StreamFigures.cpu(one.peer());
    return Markdown.row(
        one.title(),
        PEERS.getOrDefault(one.peer(), one.peer()),
        whole(figures.median(rate)),
        whole(figures.median(peerRate)),
        fine(ratio),
        one.wanted().wanted(),
        one.wanted().reached(ratio),
        each(ratios),
        decimal(figures.median(cpu), 1),
        decimal(figures.median(peerCpu), 1),
        fine(Samples.median(StreamFigures.ratios(figures, cpu, peerCpu))));
  }

  private String callback(String door) {
    StringBuilder rows = new StringBuilder();
    for (int percent : PERCENTS) {
      String name = StreamFigures.millis("callback." + door, percent);
      String title = "p%d ms from SEND to the callback, idle, %s".formatted(percent, door);
      rows.append(percent == 50 ? most(title, name, CALLBACK_MILLIS) : shown(title, name));
    }
    return rows.toString();
  }

  private String heap(String door) {
    return most("KiB of heap, idle stream, " + door, "heap." + door + ".kib", IDLE_KIB)
        + shown("us of CPU a second, idle stream, " + door, StreamFigures.cpu("heap." + door));
  }

  /** A row with an upper bound; empty if the figure was not measured. */
  private String most(String title, String name, Bound goal) {
    List<Double> values = figures.of(name);
    return values.isEmpty() ? "" : row(title, Samples.median(values), goal, values);
  }

  private static String row(String title, double value, Bound goal, List<Double> values) {
    return Markdown.row(title, fine(value), goal.wanted(), goal.reached(value), each(values));
  }

  private String shown(String title, String name) {
    List<Double> values = figures.of(name);
    return values.isEmpty()
        ? ""
        : Markdown.row(title, fine(Samples.median(values)), "", "", each(values));
  }

  private String stalled() {
    List<Double> ratios =
        StreamFigures.ratios(
            figures,
            StreamFigures.millis("stalled.one", 99),
            StreamFigures.millis("stalled.none", 99));
    return ratios.isEmpty()
        ? ""
        : row(
            "p99 to the callback beside a stalled stream of its connection, to p99 without",
            Samples.median(ratios),
            STALLED_RATIO,
            ratios);
  }
}
