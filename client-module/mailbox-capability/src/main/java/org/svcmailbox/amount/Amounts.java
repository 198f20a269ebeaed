package org.svcmailbox.amount;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations and sizes. A text that is none is an {@link IllegalArgumentException}
 * whose message goes behind the setting's name. It does not repeat that text, which may be a secret
 * under the wrong name.
 */
public final class Amounts {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
  private static final Map<String, TemporalUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  /** Beyond it, no caller can count milliseconds. */
  private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

  private static final List<String> LONGEST_FIRST = List.of("d", "h", "m", "s");

  private static final Pattern SIZE = Pattern.compile("\\+?([0-9]{1,19})(?:([KMGT])i?B|B)?");
  private static final String POWERS_OF_1024 = "KMGT";
  private static final int BITS = 10;

  private Amounts() {}

  /**
   * A duration from zero, such as {@code 250ms}, {@code 5s}, {@code 10m}, {@code 12h}, {@code 7d}
   * or ISO-8601.
   */
  public static Duration duration(String text) {
    Matcher form = DURATION.matcher(text);
    try {
      Duration duration =
          form.matches()
              ? Duration.of(Long.parseLong(form.group(1)), unit(form.group(2)))
              : Duration.parse(text);
      if (!duration.isNegative() && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw noDuration();
    }
    throw noDuration();
  }

  private static TemporalUnit unit(String name) {
    return requireNonNull(UNITS.get(name));
  }

  private static IllegalArgumentException noDuration() {
    return new IllegalArgumentException("must be a duration such as 250ms, 5s, 7d or PT5S");
  }

  /** A duration between two others, which belong to them. */
  public static Duration duration(String text, Duration least, Duration most) {
    Duration duration = duration(text);
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "must be between " + text(least) + " and " + text(most) + ", not " + text);
    }
    return duration;
  }

  /** The shortest form of a duration of whole milliseconds. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    for (String unit : LONGEST_FIRST) {
      long each = unit(unit).getDuration().toMillis();
      if (millis != 0 && millis % each == 0) {
        return millis / each + unit;
      }
    }
    return millis + "ms";
  }

  /** Bytes, such as {@code 65536}, {@code 64KB} or {@code 10GiB}, in powers of 1,024. */
  public static long bytes(String text) {
    Matcher form = SIZE.matcher(text);
    if (form.matches()) {
      int power = form.group(2) == null ? 0 : POWERS_OF_1024.indexOf(form.group(2)) + 1;
      try {
        return Math.multiplyExact(Long.parseLong(form.group(1)), 1L << (power * BITS));
      } catch (NumberFormatException | ArithmeticException e) {
        throw noSize();
      }
    }
    throw noSize();
  }

  private static IllegalArgumentException noSize() {
    return new IllegalArgumentException("must be a size such as 65536, 512MB or 10GB");
  }
}
