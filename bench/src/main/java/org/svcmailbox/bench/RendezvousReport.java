package org.svcmailbox.bench;

import static org.svcmailbox.bench.ComparisonTables.row;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of the rendezvous door and its goals; no goal fails the run. */
final class RendezvousReport {
  /** The percentiles of wake-ups. */
  static final List<Double> PERCENTS = List.of(50.0, 99.0);

  /** The two sides of the SEND ratio. */
  static final String CLOSED = "the door closed";

  static final String OPEN = "the door open and idle";

  private static final List<Double> WAKE_UP_MILLIS = List.of(3.0, 30.0);
  private static final double MAILBOXES_MIB = 3;
  private static final double WAITERS_MIB = 160;
  private static final double SEND_RATIO = 0.97;

  private final Map<String, String> machine;
  private final Figures figures;
  private final List<RendezvousPeer> peers;
  private final Options options;

  RendezvousReport(
      Map<String, String> machine, Figures figures, List<RendezvousPeer> peers, Options options) {
    this.machine = machine;
    this.figures = figures;
    this.peers = peers;
    this.options = options;
  }

  /** The name of a figure: messages a second of the door, in the turn before a peer's. */
  static String ours(RendezvousPeer peer) {
    return peer.key() + ".ours.per_second";
  }

  /** The same of the peer. */
  static String theirs(RendezvousPeer peer) {
    return peer.key() + ".theirs.per_second";
  }

  /** The ratio of the two. */
  static String ratio(RendezvousPeer peer) {
    return peer.key() + ".ratio";
  }

  /** A percentile of the wake-ups. */
  static String wakeUp(double percent) {
    return String.format(Locale.ROOT, "wake_up.p%.0f_ms", percent);
  }

  /** Writes {@code rendezvous.json} and {@code rendezvous.md}. */
  void write(Path directory) throws IOException {
    new Report(machine, figures, options.rounds()).write(directory.resolve("rendezvous.json"));
    Files.writeString(directory.resolve("rendezvous.md"), markdown());
  }

  /** The page of the documentation. */
  String document() throws IOException {
    try (InputStream in = RendezvousReport.class.getResourceAsStream("rendezvous-performance.md")) {
      if (in == null) {
        throw new IllegalStateException("rendezvous-performance.md is not packaged");
      }
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return page.replace("{command}", "./bench/run" + options.given())
          .replace("{figures}", markdown());
    }
  }

  /** The tables of what was measured. */
  String markdown() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    machine.forEach((fact, value) -> text.append(row(fact, value)));
    if (!peers.isEmpty()) {
      text.append("\n| peer | messages/s | the peer's | ratio | goal | reached | each round |")
          .append("\n|---|---|---|---|---|---|---|\n");
      peers.forEach(peer -> text.append(pair(peer)));
    }
    text.append("\n| | figure | goal | reached |\n|---|---|---|---|\n");
    for (int i = 0; i < PERCENTS.size(); i++) {
      text.append(
          most(
              "p%.0f ms from POST to GET, 10,000 waiters".formatted(PERCENTS.get(i)),
              wakeUp(PERCENTS.get(i)),
              1,
              WAKE_UP_MILLIS.get(i)));
    }
    text.append(most("MiB of heap, 10,000 idle mailboxes", "mailboxes.kib", 1_024, MAILBOXES_MIB));
    text.append(most("MiB of heap, 10,000 waiters", "waiters.plain.kib", 1_024, WAITERS_MIB));
    text.append(
        most("MiB of heap, 10,000 waiters over TLS", "waiters.tls.kib", 1_024, WAITERS_MIB));
    text.append(shown("MiB of the process, 10,000 waiters", "waiters.plain.process_mib"));
    text.append(shown("MiB of the process, 10,000 waiters over TLS", "waiters.tls.process_mib"));
    return text.append(send()).toString();
  }

  private String pair(RendezvousPeer peer) {
    double ratio = figures.median(ratio(peer));
    return row(
        peer.title(),
        whole(figures.median(ours(peer))),
        whole(figures.median(theirs(peer))),
        fine(ratio),
        fine(peer.wanted()),
        ratio >= peer.wanted() ? "yes" : "no",
        each(figures.of(ratio(peer))));
  }

  /** A figure that should be at most so much; nothing if it was not measured. */
  private String most(String title, String name, int unit, double goal) {
    if (figures.of(name).isEmpty()) {
      return "";
    }
    double value = figures.median(name) / unit;
    return row(title, fine(value), "at most " + whole(goal), value <= goal ? "yes" : "no");
  }

  private String shown(String title, String name) {
    return figures.of(name).isEmpty() ? "" : row(title, whole(figures.median(name)), "", "");
  }

  private String send() {
    List<Double> ratios = sendRatios();
    if (ratios.isEmpty()) {
      return "";
    }
    double median = Samples.median(ratios);
    return row(
        "SEND with " + OPEN + " to " + CLOSED + " (" + each(ratios) + ")",
        fine(median),
        "at least " + fine(SEND_RATIO),
        median >= SEND_RATIO ? "yes" : "no");
  }

  /** The ratio of each round. */
  private List<Double> sendRatios() {
    List<Double> open = figures.of(OPEN + ".send.per_second");
    List<Double> closed = figures.of(CLOSED + ".send.per_second");
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      ratios.add(open.get(i) / closed.get(i));
    }
    return ratios;
  }

  private static String each(List<Double> values) {
    return values.stream().map(RendezvousReport::fine).collect(Collectors.joining(", "));
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String fine(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
