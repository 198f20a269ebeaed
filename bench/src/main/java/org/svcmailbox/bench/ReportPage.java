package org.svcmailbox.bench;

import static org.svcmailbox.bench.ComparisonTables.row;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The shared part of several reports: their files, and how they write facts and numbers.
 *
 * @param key the scenario: {@code client} has a packaged page {@code client-performance.md}
 * @param machine facts by name
 */
record ReportPage(String key, Map<String, String> machine, Figures figures, Options options) {
  /** The table of the machine. */
  String facts() {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    machine.forEach((fact, value) -> text.append(row(fact, value)));
    return text.toString();
  }

  /**
   * Writes every value as JSON and the tables as Markdown, under the scenario's name.
   *
   * @param more what was derived from the figures
   */
  void write(Path directory, String tables, Map<String, ?> more) throws IOException {
    new Report(machine, figures, options.rounds()).write(directory.resolve(key + ".json"), more);
    Files.writeString(directory.resolve(key + ".md"), tables);
  }

  /** The page of the documentation. */
  String document(String tables) throws IOException {
    String name = key + "-performance.md";
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not packaged");
      }
      String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return page.replace("{command}", "./bench/run" + options.given())
          .replace("{figures}", tables);
    }
  }

  /** Some values, each finely. */
  static String each(List<Double> values) {
    return values.stream().map(ReportPage::fine).collect(Collectors.joining(", "));
  }

  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String fine(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
