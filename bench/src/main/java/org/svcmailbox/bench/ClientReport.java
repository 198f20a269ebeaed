package org.svcmailbox.bench;

import static org.svcmailbox.bench.ComparisonTables.row;
import static org.svcmailbox.bench.ReportPage.each;
import static org.svcmailbox.bench.ReportPage.fine;
import static org.svcmailbox.bench.ReportPage.whole;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.Objective.MissedException;

/** The client library's figures, and whether they are what is to be reached. */
final class ClientReport {
  /** The figure of {@link HeldMessages}. */
  static final String HELD_BYTES = "held.bytes";

  /** The base64 of 1 KiB, and half as much again. */
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

  /** The name of a figure: messages a second of the client library. */
  static String ours(ClientPair pair) {
    return pair.key() + ".ours.per_second";
  }

  /** The same of its peer. */
  static String theirs(ClientPair pair) {
    return pair.key() + ".theirs.per_second";
  }

  /** The ratio of the two, which is taken in each round: the machine is the same for both then. */
  static String ratio(ClientPair pair) {
    return pair.key() + ".ratio";
  }

  /** Writes {@code client.json} and {@code client.md}. */
  void write(Path directory) throws IOException {
    page.write(directory, markdown(), Map.of("missed", missed()));
  }

  /** The page of the documentation. */
  String document() throws IOException {
    return page.document(markdown());
  }

  /** The tables. */
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
        whole(figures.median(ours(pair))),
        whole(figures.median(theirs(pair))),
        fine(figures.median(ratio(pair))),
        bound(pair).wanted(),
        bound(pair).reached(figures.median(ratio(pair))),
        each(figures.of(ratio(pair))));
  }

  private static Bound bound(ClientPair pair) {
    return Bound.atLeast(pair.atLeast());
  }

  /** The objectives that were missed, a phrase for each. */
  List<String> missed() {
    List<String> missed = new ArrayList<>();
    for (ClientPair pair : pairs) {
      if (!bound(pair).holds(figures.median(ratio(pair)))) {
        missed.add(
            pair.key() + ": " + fine(figures.median(ratio(pair))) + " of " + fine(pair.atLeast()));
      }
    }
    if (!HELD.holds(figures.median(HELD_BYTES))) {
      missed.add(whole(figures.median(HELD_BYTES)) + " bytes for each message that is held");
    }
    return missed;
  }

  /** Fails the run if something is not reached. */
  void requireReached() {
    List<String> missed = missed();
    if (!missed.isEmpty()) {
      throw new MissedException("not reached: " + String.join("; ", missed));
    }
  }
}
