package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A comparison as files: every value, tables, a plot, and the page of the documentation. */
final class ComparisonReport {
  private final Comparison comparison;
  private final ComparisonTables tables;
  private final Map<String, String> facts;

  /**
   * @param facts of the machine and of how it was measured, by name
   */
  ComparisonReport(Comparison comparison, Map<String, String> facts) {
    this.comparison = comparison;
    this.tables = new ComparisonTables(comparison);
    this.facts = facts;
  }

  /** What is printed at the end. */
  String summary() {
    return tables.loads() + tables.goals();
  }

  /** Writes {@code compare.json}, {@code compare.md} and {@code compare.svg}. */
  void write(Path directory) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("facts", facts);
    json.put("contestants", comparison.entrants());
    json.put("heap_mebibytes", comparison.heaps());
    json.put("measured", comparison.all());
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(directory.resolve("compare.json").toFile(), json);
    Files.writeString(directory.resolve("compare.md"), page("compare.svg"));
    Files.writeString(directory.resolve("compare.svg"), new ComparisonChart(comparison).svg());
  }

  /** Writes {@code PERFORMANCE.md} and {@code performance.svg}. */
  void writeDocs(Path directory) throws IOException {
    Files.writeString(directory.resolve("PERFORMANCE.md"), page("performance.svg"));
    Files.writeString(directory.resolve("performance.svg"), new ComparisonChart(comparison).svg());
  }

  private String page(String plot) throws IOException {
    return template()
        .replace("{facts}", factRows())
        .replace("{goals}", tables.goals())
        .replace("{plot}", plot)
        .replace("{heaps}", tables.heaps())
        .replace("{loads}", tables.loads().stripTrailing());
  }

  private String factRows() {
    StringBuilder rows = new StringBuilder("| | |\n|---|---|\n");
    facts.forEach((name, value) -> rows.append(ComparisonTables.row(name, value)));
    return rows.toString();
  }

  private static String template() throws IOException {
    try (InputStream in = ComparisonReport.class.getResourceAsStream("performance.md")) {
      if (in == null) {
        throw new IllegalStateException("performance.md is not packaged");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
