package org.svcmailbox.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Tables in Markdown and the numbers in them. */
public final class Markdown {
  private Markdown() {}

  public static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /** A table of facts by name. */
  public static String facts(Map<String, String> facts) {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    facts.forEach((fact, value) -> text.append(row(fact, value)));
    return text.toString();
  }

  /** A number without digits after the point, its thousands grouped. */
  public static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  /** A number with two digits after the point. */
  public static String fine(double value) {
    return decimal(value, 2);
  }

  /** A number with so many digits after the point. */
  public static String decimal(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** The value of each round, with two digits after the point. */
  public static String each(List<Double> values) {
    return each(values, 2);
  }

  public static String each(List<Double> values, int digits) {
    return values.stream().map(value -> decimal(value, digits)).collect(Collectors.joining(", "));
  }
}
