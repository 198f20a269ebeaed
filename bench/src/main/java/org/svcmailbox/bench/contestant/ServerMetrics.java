package org.svcmailbox.bench.contestant;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a server at one moment.
 *
 * @param text in Prometheus format
 */
public record ServerMetrics(String text) {
  /**
   * How much of a bound is used.
   *
   * @throws IllegalStateException if there is no such bound
   */
  public long used(String bound) {
    Matcher used =
        Pattern.compile("bound_used\\{bound=\"" + bound + "\"[^}]*} (\\S+)").matcher(text);
    if (!used.find()) {
      throw new IllegalStateException("no metric has the use of " + bound);
    }
    return (long) Double.parseDouble(used.group(1));
  }
}
