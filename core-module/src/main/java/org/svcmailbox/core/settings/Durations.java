package org.svcmailbox.core.settings;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as {@code 250ms}, {@code 5s}, {@code 10m}, {@code 12h}, {@code 7d} or ISO-8601. */
public final class Durations {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private Durations() {}

  /** Throws {@link IllegalArgumentException} if {@code text} is not a duration. */
  public static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text);
    try {
      if (matcher.matches()) {
        Duration unit = UNITS.get(matcher.group(2));
        return Objects.requireNonNull(unit).multipliedBy(Long.parseLong(matcher.group(1)));
      }
      return Duration.parse(text);
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException("not a duration such as 250ms, 5s, 7d or PT5S", e);
    }
  }

  /** The shortest form that parses to the same duration. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      long each = Objects.requireNonNull(UNITS.get(unit)).toMillis();
      if (millis != 0 && millis % each == 0) {
        return millis / each + unit;
      }
    }
    return millis + "ms";
  }
}
