package org.svcmailbox.bench.start;

import static org.svcmailbox.bench.report.Markdown.decimal;
import static org.svcmailbox.bench.report.Markdown.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Variant;
import org.svcmailbox.bench.report.FiguresFile;
import org.svcmailbox.bench.report.Markdown;

/** The tables and the file of the scenario {@code start}. */
final class StartReport {
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
    new FiguresFile(machine, figures, options.rounds())
        .write(
            directory.resolve("start.json"),
            Map.of("ratio", ratios, "at_most", MOST, "reached", reached));
    Files.writeString(directory.resolve("start.md"), markdown());
  }

  String markdown() {
    StringBuilder text = new StringBuilder(Markdown.facts(machine));
    text.append("\n| server | ready ms | CPU s | ratio | at most ")
        .append(MOST)
        .append(" | first SEND ms | next SENDs ms | ready ms, each |\n")
        .append("|---|---|---|---|---|---|---|---|\n")
        .append(
            row(
                Variant.STOCK,
                median(Variant.STOCK, "ready_ms", 0),
                cpu(Variant.STOCK),
                "",
                "",
                "",
                "",
                each(Variant.STOCK)));
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
    return figures.median(name + ".ready_ms") / figures.median(Variant.STOCK + ".ready_ms");
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

  /** Median of the rounds with this figure, and the number of rounds without it. */
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
    return Markdown.each(figures.of(name + ".ready_ms"), 0);
  }
}
