package org.svcmailbox.bench;

import static org.svcmailbox.bench.ComparisonTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The measured starts, as tables and as a file. */
final class StartReport {
  /** The name of the server with nothing deployed, among those of the variants. */
  static final String STOCK = "stock";

  private static final double MOST = 1.6;

  private final Map<String, String> machine;
  private final Figures figures;
  private final Options options;

  StartReport(Map<String, String> machine, Figures figures, Options options) {
    this.machine = machine;
    this.figures = figures;
    this.options = options;
  }

  /** Writes {@code start.json} and {@code start.md}. */
  void write(Path directory) throws IOException {
    Map<String, Double> ratios = new LinkedHashMap<>();
    options.servers().forEach(server -> ratios.put(server.name(), ratio(server.name())));
    boolean reached = ratio(Variant.DEFAULT.name()) <= MOST;
    new Report(machine, figures, options.rounds())
        .write(
            directory.resolve("start.json"),
            Map.of("ratio", ratios, "at_most", MOST, "reached", reached));
    Files.writeString(directory.resolve("start.md"), markdown());
  }

  /** Every table. */
  String markdown() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    machine.forEach((fact, value) -> text.append(row(fact, value)));
    text.append("\n| server | ready ms | CPU s | ratio | at most ")
        .append(MOST)
        .append(" | first SEND ms | next SENDs ms | ready ms, each |\n")
        .append("|---|---|---|---|---|---|---|---|\n")
        .append(row(STOCK, median(STOCK, "ready_ms", 0), cpu(STOCK), "", "", "", "", each(STOCK)));
    options.servers().forEach(server -> text.append(ours(server.name())));
    options.servers().forEach(server -> text.append(phases(server.name())));
    return text.toString();
  }

  private String ours(String name) {
    double ratio = ratio(name);
    return row(
        name,
        median(name, "ready_ms", 0),
        cpu(name),
        decimal(ratio, 2),
        ratio <= MOST ? "yes" : "no",
        median(name, "first_send_ms", 0),
        median(name, "next_sends_ms", 1),
        each(name));
  }

  private double ratio(String name) {
    return figures.median(name + ".ready_ms") / figures.median(STOCK + ".ready_ms");
  }

  private String phases(String name) {
    StringBuilder text = new StringBuilder("\n| ").append(name);
    text.append(", ms after its launch | begin | end | length |\n|---|---|---|---|\n");
    for (StartPhase phase : StartPhase.ALL) {
      String key = name + "." + phase.key();
      text.append(
          row(
              phase.title(),
              median(key, "begin_ms", 0),
              median(key, "end_ms", 0),
              median(key, "length_ms", 0)));
    }
    String ready = median(name, "ready_ms", 0);
    return text.append(row("ready", "0", ready, ready)).toString();
  }

  private String cpu(String name) {
    return median(name, "cpu_s", 1);
  }

  /** Tells in how many rounds the figure is missing. */
  private String median(String name, String figure, int digits) {
    List<Double> values = figures.of(name + "." + figure);
    if (values.isEmpty()) {
      return "missing";
    }
    String median = decimal(Samples.median(values), digits);
    int missing = options.rounds() - values.size();
    return missing == 0 ? median : median + " (missing in " + missing + ")";
  }

  private String each(String name) {
    return figures.of(name + ".ready_ms").stream()
        .map(millis -> decimal(millis, 0))
        .collect(Collectors.joining(", "));
  }

  private static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
