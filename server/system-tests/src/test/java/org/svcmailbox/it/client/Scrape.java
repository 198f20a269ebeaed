package org.svcmailbox.it.client;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One reading of {@code /metrics}: what the application itself tells, without what the server adds.
 *
 * @param values by {@code name{label="value"}}
 * @param types by name
 */
public record Scrape(Map<String, Double> values, Map<String, String> types) {
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)\\{(.*)} (\\S+)");
  private static final String SCOPE = "mp_scope=\"application\"";

  /** Reads Prometheus' text; fails when a line is none of it. */
  public static Scrape of(String text) {
    Map<String, Double> values = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      } else if (!line.startsWith("#")) {
        read(line, values);
      }
    }
    return new Scrape(values, types);
  }

  private static void read(String line, Map<String, Double> values) {
    Matcher sample = SAMPLE.matcher(line);
    if (!sample.matches()) {
      throw new AssertionError("no sample: " + line);
    }
    String labels = sample.group(2);
    if (labels.contains(SCOPE)) {
      values.put(
          sample.group(1) + "{" + without(labels) + "}", Double.parseDouble(sample.group(3)));
    }
  }

  private static String without(String labels) {
    return labels.replaceFirst(",?" + SCOPE, "").replaceFirst("^,", "").replaceFirst(",$", "");
  }

  /** The value of a metric with at most one label; 0 when it is not there. */
  public double value(String metric) {
    return values.getOrDefault(metric, 0.0);
  }

  /** The values of the one label that a metric has, but for {@code other}. */
  public Set<String> labels(String metric) {
    return values.keySet().stream()
        .filter(name -> name.startsWith(metric + "{"))
        .map(name -> name.substring(name.indexOf('"') + 1, name.lastIndexOf('"')))
        .filter(label -> !label.equals("other"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names with the keys of their labels, as {@code name{label}}. */
  public Set<String> shapes() {
    Set<String> shapes = new TreeSet<>();
    values.keySet().forEach(metric -> shapes.add(metric.replaceAll("=\"[^\"]*\"", "")));
    return shapes;
  }
}
