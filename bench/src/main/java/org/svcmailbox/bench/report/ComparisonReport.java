package org.svcmailbox.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.bench.machine.PackagedFile;

/** The files of a comparison: all values, tables, a chart and the page in docs. */
public final class ComparisonReport {
  private final Comparison comparison;
  private final ComparisonTables tables;
  private final Map<String, String> facts;

  /**
   * @param facts facts about the machine and the run, by name
   */
  public ComparisonReport(Comparison comparison, Map<String, String> facts) {
    this.comparison = comparison;
    this.tables = new ComparisonTables(comparison);
    this.facts = facts;
  }

  /** The tables printed at the end of the run. */
  public String summary() {
    return tables.loads() + tables.goals();
  }

  /** Writes {@code compare.json}, {@code compare.md} and {@code compare.svg}. */
  public void write(Path directory) throws IOException {
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
  public void writeDocs(Path directory) throws IOException {
    Files.writeString(directory.resolve("PERFORMANCE.md"), page("performance.svg"));
    Files.writeString(directory.resolve("performance.svg"), new ComparisonChart(comparison).svg());
  }

  private String page(String plot) throws IOException {
    return PackagedFile.text(ComparisonReport.class, "performance.md")
        .replace("{facts}", Markdown.facts(facts))
        .replace("{goals}", tables.goals())
        .replace("{plot}", plot)
        .replace("{heaps}", tables.heaps())
        .replace("{loads}", tables.loads().stripTrailing());
  }
}
