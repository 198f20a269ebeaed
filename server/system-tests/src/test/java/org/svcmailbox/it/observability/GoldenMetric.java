package org.svcmailbox.it.observability;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A metric that users rely on.
 *
 * @param kind as Prometheus calls it, or {@code server} for what the server adds
 * @param labels the keys of its labels with commas between them
 */
public record GoldenMetric(String kind, String name, String labels) {
  private static final Pattern LINE = Pattern.compile("(\\w+) +(\\w+)\\{([\\w,]*)}");

  /** All that are listed in a file of such lines. */
  public static List<GoldenMetric> read(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(GoldenMetric::of)
        .toList();
  }

  private static GoldenMetric of(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no metric: " + line);
    }
    return new GoldenMetric(
        requireNonNull(matcher.group(1)),
        requireNonNull(matcher.group(2)),
        requireNonNull(matcher.group(3)));
  }

  /** Whether the service itself tells it. */
  public boolean isOurs() {
    return !kind.equals("server");
  }

  /** The samples it consists of, as {@code name{label}}. */
  public Set<String> shapes() {
    return switch (kind) {
      case "histogram" -> Set.of(shape("_bucket", "le"), shape("_sum", ""), shape("_count", ""));
      case "summary" -> Set.of(shape("", "quantile"), shape("_sum", ""), shape("_count", ""));
      default -> Set.of(shape("", ""));
    };
  }

  /** The names that its samples have. */
  public Set<String> names() {
    return shapes().stream()
        .map(shape -> shape.substring(0, shape.indexOf('{')))
        .collect(Collectors.toUnmodifiableSet());
  }

  private String shape(String suffix, String label) {
    String comma = labels.isEmpty() || label.isEmpty() ? "" : ",";
    return name + suffix + "{" + labels + comma + label + "}";
  }
}
