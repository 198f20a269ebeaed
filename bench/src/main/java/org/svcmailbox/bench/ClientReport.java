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
import org.svcmailbox.bench.Objective.MissedException;

/** The client library's figures, and whether they are what is to be reached. */
final class ClientReport {
  /** The figure of {@link HeldMessages}. */
  static final String HELD_BYTES = "held.bytes";

  /** The base64 of 1 KiB, and half as much again. */
  static final double MOST_HELD_BYTES = 2_048;

  private final Map<String, String> machine;
  private final Figures figures;
  private final List<ClientPair> pairs;
  private final Options options;

  ClientReport(
      Map<String, String> machine, Figures figures, List<ClientPair> pairs, Options options) {
    this.machine = machine;
    this.figures = figures;
    this.pairs = pairs;
    this.options = options;
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
    new Report(machine, figures, options.rounds())
        .write(directory.resolve("client.json"), Map.of("missed", missed()));
    Files.writeString(directory.resolve("client.md"), markdown());
  }

  /** The page of the documentation. */
  String document() throws IOException {
    try (InputStream in = ClientReport.class.getResourceAsStream("client-performance.md")) {
      if (in == null) {
        throw new IllegalStateException("client-performance.md is not packaged");
      }
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return page.replace("{command}", "./bench/run" + options.given())
          .replace("{figures}", markdown());
    }
  }

  /** The tables. */
  String markdown() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    machine.forEach((fact, value) -> text.append(row(fact, value)));
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
            "at most " + whole(MOST_HELD_BYTES),
            held <= MOST_HELD_BYTES ? "yes" : "no"));
    return text.toString();
  }

  private String line(ClientPair pair) {
    return row(
        pair.work(),
        pair.peer(),
        whole(figures.median(ours(pair))),
        whole(figures.median(theirs(pair))),
        fine(figures.median(ratio(pair))),
        "at least " + fine(pair.atLeast()),
        isReached(pair) ? "yes" : "no",
        figures.of(ratio(pair)).stream().map(ClientReport::fine).collect(Collectors.joining(", ")));
  }

  private boolean isReached(ClientPair pair) {
    return figures.median(ratio(pair)) >= pair.atLeast();
  }

  /** The objectives that were missed, a phrase for each. */
  List<String> missed() {
    List<String> missed = new ArrayList<>();
    for (ClientPair pair : pairs) {
      if (!isReached(pair)) {
        missed.add(
            pair.key() + ": " + fine(figures.median(ratio(pair))) + " of " + fine(pair.atLeast()));
      }
    }
    if (!(figures.median(HELD_BYTES) <= MOST_HELD_BYTES)) {
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

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String fine(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
