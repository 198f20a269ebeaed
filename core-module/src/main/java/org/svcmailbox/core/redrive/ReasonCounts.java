package org.svcmailbox.core.redrive;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.svcmailbox.core.message.DeadLetterReason;

/** Counts by reason as text, largest first: {@code max_attempts=12,expired=3}. */
public final class ReasonCounts {
  private ReasonCounts() {}

  public static String text(Map<DeadLetterReason, Long> counts) {
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<DeadLetterReason, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(count -> count.getKey().text() + "=" + count.getValue())
        .collect(Collectors.joining(","));
  }

  /** Parses the output of {@link #text}, or throws {@code IllegalArgumentException}. */
  public static Map<DeadLetterReason, Long> parse(String text) {
    Map<DeadLetterReason, Long> counts = new EnumMap<>(DeadLetterReason.class);
    for (String count : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int end = count.indexOf('=');
      counts.put(
          DeadLetterReason.valueOf(count.substring(0, Math.max(0, end)).toUpperCase(Locale.ROOT)),
          Long.valueOf(count.substring(end + 1)));
    }
    return counts;
  }
}
