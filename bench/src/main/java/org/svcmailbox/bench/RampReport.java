package org.svcmailbox.bench;

import static org.svcmailbox.bench.ComparisonTables.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The rates after a start, as a table and as a file. */
final class RampReport {
  private final Map<String, String> machine;
  private final Figures figures;
  private final Options options;

  RampReport(Map<String, String> machine, Figures figures, Options options) {
    this.machine = machine;
    this.figures = figures;
    this.options = options;
  }

  /**
   * Writes {@code warmth.json} and {@code warmth.md}.
   *
   * @param perSecond of each server the rates of each round
   */
  void write(Path directory, Map<String, List<List<Double>>> perSecond) throws IOException {
    new Report(machine, figures, options.rounds())
        .write(directory.resolve("warmth.json"), Map.of("per_second", perSecond));
    Files.writeString(directory.resolve("warmth.md"), markdown());
  }

  /** The table. */
  String markdown() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    machine.forEach((fact, value) -> text.append(row(fact, value)));
    text.append("\n| server | s to 80 % of the peak | each | peak, SENDs/s | each | CPU s |\n")
        .append("|---|---|---|---|---|---|\n");
    for (Variant server : options.servers()) {
      String name = server.name();
      text.append(
          row(
              name,
              median(name + ".warm_s"),
              each(name + ".warm_s"),
              median(name + ".peak_per_second"),
              each(name + ".peak_per_second"),
              median(name + ".cpu_s")));
    }
    return text.toString();
  }

  private String median(String name) {
    List<Double> values = figures.of(name);
    int missing = options.rounds() - values.size();
    String median = values.isEmpty() ? "" : whole(Samples.median(values));
    return missing == 0 ? median : (median + " (not reached in " + missing + ")").strip();
  }

  private String each(String name) {
    return figures.of(name).stream().map(RampReport::whole).collect(Collectors.joining(", "));
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
