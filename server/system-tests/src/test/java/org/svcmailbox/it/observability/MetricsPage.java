package org.svcmailbox.it.observability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The values of labels that the page about metrics names. */
public final class MetricsPage {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "..", "..", "docs", "METRICS.md");

  /** Explanations, and text that is no name. */
  private static final Pattern ASIDE = Pattern.compile("\\([^)]*\\)");

  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  private final String text;

  private MetricsPage(String text) {
    this.text = text;
  }

  /** The page as it stands. */
  public static MetricsPage read() throws IOException {
    return new MetricsPage(Files.readString(PAGE));
  }

  /** The first cells of the table with this head, without rows that only several nodes have. */
  public Set<String> rows(String head) {
    String table = between("\n| " + head + " |", "\n\n");
    return table
        .lines()
        .skip(2)
        .filter(row -> !row.contains("(several nodes only)"))
        .map(row -> row.split("\\|", -1)[1].strip())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names in what stands between two texts. */
  public Set<String> names(String from, String to) {
    return NAME.matcher(ASIDE.matcher(between(from, to)).replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String between(String from, String to) {
    int begin = text.indexOf(from);
    int end = text.indexOf(to, begin + from.length());
    if (begin < 0 || end < 0) {
      throw new AssertionError("the page has no '" + from + "' or no '" + to + "' after it");
    }
    return text.substring(begin + from.length(), end);
  }
}
