package org.svcmailbox.bench.start;

import static org.svcmailbox.bench.report.Markdown.row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Variant;
import org.svcmailbox.bench.report.FiguresFile;
import org.svcmailbox.bench.report.Markdown;

/** The table and the files of the scenario {@code warmth}. */
final class WarmthReport {
  private final Map<String, String> machine;
  private final Figures figures;
  private final Options options;

  WarmthReport(Map<String, String> machine, Figures figures, Options options) {
    this.machine = machine;
    this.figures = figures;
    this.options = options;
  }

  /**
   * Writes {@code warmth.json} and {@code warmth.md}.
   *
   * @param perSecond rates of each round by server
   */
  void write(Path directory, Map<String, List<List<Double>>> perSecond) throws IOException {
    new FiguresFile(machine, figures, options.rounds())
        .write(directory.resolve("warmth.json"), Map.of("per_second", perSecond));
    Files.writeString(directory.resolve("warmth.md"), markdown());
  }

  String markdown() {
    StringBuilder text = new StringBuilder(Markdown.facts(machine));
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
    String median = values.isEmpty() ? "" : Markdown.decimal(Samples.median(values), 0);
    return missing == 0 ? median : (median + " (not reached in " + missing + ")").strip();
  }

  private String each(String name) {
    return Markdown.each(figures.of(name), 0);
  }
}
