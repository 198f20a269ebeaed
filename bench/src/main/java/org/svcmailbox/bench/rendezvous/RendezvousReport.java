package org.svcmailbox.bench.rendezvous;

import static org.svcmailbox.bench.report.Markdown.each;
import static org.svcmailbox.bench.report.Markdown.fine;
import static org.svcmailbox.bench.report.Markdown.row;
import static org.svcmailbox.bench.report.Markdown.whole;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.svcmailbox.bench.figure.Bound;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.report.ReportPage;

/** The tables of the scenario {@code rendezvous}. A missed goal fails no run. */
final class RendezvousReport {
  static final List<Double> PERCENTS = List.of(50.0, 99.0);

  /** The two servers of the SEND ratio. */
  static final String CLOSED = "the door closed";

  static final String OPEN = "the door open and idle";

  private static final List<Bound> WAKE_UP_MILLIS = List.of(Bound.atMost(3), Bound.atMost(30));
  private static final Bound MAILBOXES_MIB = Bound.atMost(3);
  private static final Bound WAITERS_MIB = Bound.atMost(160);
  private static final Bound SEND_RATIO = Bound.atLeast(0.97);

  private final Figures figures;
  private final List<RendezvousPeer> peers;
  private final ReportPage page;

  RendezvousReport(
      Map<String, String> machine, Figures figures, List<RendezvousPeer> peers, Options options) {
    this.figures = figures;
    this.peers = peers;
    page = new ReportPage("rendezvous", machine, figures, options);
  }

  /** The name of a percentile of wake-ups. */
  static String wakeUp(double percent) {
    return String.format(Locale.ROOT, "wake_up.p%.0f_ms", percent);
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
    double ratio = figures.median(peer.names().ratio());
    return row(
        peer.title(),
        whole(figures.median(peer.names().ours())),
        whole(figures.median(peer.names().theirs())),
        fine(ratio),
        fine(peer.wanted()),
        Bound.atLeast(peer.wanted()).reached(ratio),
        each(figures.of(peer.names().ratio())));
  }

  /** A row with an upper bound; empty if the figure was not measured. */
  private String most(String title, String name, int unit, Bound goal) {
    if (figures.of(name).isEmpty()) {
      return "";
    }
    double value = figures.median(name) / unit;
    return row(title, fine(value), goal.wanted(), goal.reached(value));
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
        SEND_RATIO.wanted(),
        SEND_RATIO.reached(median));
  }

  private List<Double> sendRatios() {
    List<Double> open = figures.of(OPEN + ".send.per_second");
    List<Double> closed = figures.of(CLOSED + ".send.per_second");
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      ratios.add(open.get(i) / closed.get(i));
    }
    return ratios;
  }
}
