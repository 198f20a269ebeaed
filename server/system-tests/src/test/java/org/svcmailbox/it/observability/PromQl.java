package org.svcmailbox.it.observability;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As much of Prometheus' language as it takes to see which metrics an expression reads. */
final class PromQl {
  private static final Pattern NOT_NAMES =
      Pattern.compile(
          "\"[^\"]*\"|\\{[^}]*}|\\[[^]]*]|\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

  private static final Pattern NAME = Pattern.compile("\\b[a-zA-Z_:][a-zA-Z0-9_:]*\\b(?!\\s*\\()");
  private static final Set<String> WORDS =
      Set.of("and", "or", "unless", "bool", "by", "without", "offset");

  private PromQl() {}

  /** The metrics that an expression reads. */
  static Set<String> metrics(String expression) {
    // Labels of a selector may have values with braces: strings go first.
    String bare = expression.replaceAll("\"[^\"]*\"", "");
    Matcher name = NAME.matcher(NOT_NAMES.matcher(bare).replaceAll(" "));
    Set<String> metrics = new TreeSet<>();
    while (name.find()) {
      metrics.add(name.group());
    }
    metrics.removeAll(WORDS);
    return metrics;
  }
}
