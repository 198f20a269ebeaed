package org.svcmailbox.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.bench.figure.Figures;

/** The JSON file with the medians and all values of a run. */
public record FiguresFile(Map<String, String> machine, Figures figures, int rounds) {
  /**
   * Writes the file.
   *
   * @param more derived values
   */
  public void write(Path file, Map<String, ?> more) throws IOException {
    Map<String, Double> medians = new LinkedHashMap<>();
    figures.all().keySet().forEach(name -> medians.put(name, figures.median(name)));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", machine);
    all.put("rounds", rounds);
    all.put("median", medians);
    all.putAll(more);
    all.put("values", figures.all());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), all);
  }
}
