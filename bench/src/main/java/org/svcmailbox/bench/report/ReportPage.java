package org.svcmailbox.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.PackagedFile;
import org.svcmailbox.bench.options.Options;

/**
 * The results of a scenario with a page in docs.
 *
 * @param key name of the scenario and prefix of all its files
 * @param machine facts by name
 */
public record ReportPage(
    String key, Map<String, String> machine, Figures figures, Options options) {
  /** The table of the machine. */
  public String facts() {
    return Markdown.facts(machine);
  }

  /**
   * Prints the tables and writes {@code <key>.json} and {@code <key>.md}; with {@code --write-docs}
   * also the page in docs.
   *
   * @param more values derived from the figures
   */
  public void publish(String tables, Map<String, ?> more) throws IOException {
    System.out.println(tables);
    new FiguresFile(machine, figures, options.rounds())
        .write(options.work().resolve(key + ".json"), more);
    Files.writeString(options.work().resolve(key + ".md"), tables);
    if (options.writesDocs()) {
      String page = key.toUpperCase(Locale.ROOT) + "_PERFORMANCE.md";
      Files.writeString(Path.of("docs", page), document(tables));
    }
  }

  /** The page in docs, from the packaged {@code <key>-performance.md}. */
  public String document(String tables) throws IOException {
    return PackagedFile.text(ReportPage.class, key + "-performance.md")
        .replace("{command}", "./bench/run" + options.given())
        .replace("{figures}", tables);
  }
}
