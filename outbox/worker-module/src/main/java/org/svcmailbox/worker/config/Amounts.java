package org.svcmailbox.worker.config;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations and sizes as people write them. */
public final class Amounts {
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})(B|KB|MB|GB|TB)?");
  private static final Map<String, Integer> SHIFTS =
      Map.of("B", 0, "KB", 10, "MB", 20, "GB", 30, "TB", 40);

  private Amounts() {}

  /**
   * Parses a duration such as {@code 250ms}, {@code 5s} or {@code 7d}, or ISO-8601; empty for any
   * other text.
   */
  public static Optional<Duration> duration(String text) {
    Matcher amount = AMOUNT.matcher(text);
    if (amount.matches()) {
      return Optional.ofNullable(UNITS.get(amount.group(2)))
          .map(unit -> unit.multipliedBy(Long.parseLong(amount.group(1))));
    }
    try {
      return Optional.of(Duration.parse(text)).filter(parsed -> !parsed.isNegative());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Parses a size in bytes, such as {@code 10GB}, in powers of 1,024; empty for any other text. */
  static OptionalLong bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return OptionalLong.empty();
    }
    int shift = size.group(2) == null ? 0 : SHIFTS.getOrDefault(size.group(2), 0);
    BigInteger bytes = new BigInteger(size.group(1)).shiftLeft(shift);
    return bytes.bitLength() < Long.SIZE
        ? OptionalLong.of(bytes.longValueExact())
        : OptionalLong.empty();
  }
}
