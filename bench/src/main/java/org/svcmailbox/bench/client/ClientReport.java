package org.svcmailbox.bench.client;

import static org.svcmailbox.bench.report.Markdown.each;
import static org.svcmailbox.bench.report.Markdown.fine;
import static org.svcmailbox.bench.report.Markdown.row;
import static org.svcmailbox.bench.report.Markdown.whole;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.figure.Bound;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Objective.MissedException;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.report.ReportPage;

/** The tables of the scenario {@code client} and the verdict on its goals. */
final class ClientReport {
  static final String HELD_BYTES = "held.bytes";

  /** Half as much again as the base64 of 1 KiB. */
  private static final Bound HELD = Bound.atMost(2_048);

  private final Figures figures;
  private final List<ClientPair> pairs;
  private final ReportPage page;

  ClientReport(
      Map<String, String> machine, Figures figures, List<ClientPair> pairs, Options options) {
    this.figures = figures;
    this.pairs = pairs;
    page = new ReportPage("client", machine, figures, options);
  }

  /** Prints the tables and writes {@code client.json} and {@code client.md}. */
  void publish() throws IOException {
    page.publish(markdown(), Map.of("missed", missed()));
  }

  /** The page in docs. */
  String document() throws IOException {
    return page.document(markdown());
  }

  String markdown() {
    StringBuilder text = new StringBuilder(page.facts());
    text.append(
            "\n| work | peer | messages/s | the peer's | ratio | wanted | reached | each round |")
        .append("\n|---|---|---|---|---|---|---|---|\n");
    pairs.forEach(pair -> text.append(line(pair)));
    text.append("\n| memory | bytes | wanted | reached |\n|---|---|---|---|\n");
    double held = figures.median(HELD_BYTES);
    text.append(
        row(
            "heap for each of 10,000 messages of 1 KiB that wait in `sendAsync`",
            whole(held),
            HELD.wanted(),
            HELD.reached(held)));
    return text.toString();
  }

  private String line(ClientPair pair) {
    return row(
        pair.work(),
        pair.peer(),
        whole(figures.median(pair.names().ours())),
        whole(figures.median(pair.names().theirs())),
        fine(figures.median(pair.names().ratio())),
        bound(pair).wanted(),
        bound(pair).reached(figures.median(pair.names().ratio())),
        each(figures.of(pair.names().ratio())));
  }

  private static Bound bound(ClientPair pair) {
    return Bound.atLeast(pair.atLeast());
  }

  /** The missed goals, a phrase for each. */
  List<String> missed() {
    List<String> missed = new ArrayList<>();
    for (ClientPair pair : pairs) {
      if (!bound(pair).holds(figures.median(pair.names().ratio()))) {
        missed.add(
            pair.key()
                + ": "
                + fine(figures.median(pair.names().ratio()))
                + " of "
                + fine(pair.atLeast()));
      }
    }
    if (!HELD.holds(figures.median(HELD_BYTES))) {
      missed.add(whole(figures.median(HELD_BYTES)) + " bytes for each message that is held");
    }
    return missed;
  }

  /** Throws if a goal was missed. */
  void requireReached() {
    List<String> missed = missed();
    if (!missed.isEmpty()) {
      throw new MissedException("not reached: " + String.join("; ", missed));
    }
  }
}
