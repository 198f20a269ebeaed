package org.svcmailbox.core.envelope;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats timestamps as RFC 3339 in UTC with exactly three decimals. */
public final class Timestamps {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Cached, because the messages of a batch mostly share their millisecond. */
  private static volatile Formatted last = new Formatted(0, FORMAT.format(Instant.EPOCH));

  private record Formatted(long epochMillis, String text) {}

  private Timestamps() {}

  /** The hash chain covers this text. */
  public static String text(Instant instant) {
    long epochMillis = instant.toEpochMilli();
    Formatted formatted = last;
    if (formatted.epochMillis() != epochMillis) {
      formatted = new Formatted(epochMillis, FORMAT.format(instant));
      last = formatted;
    }
    return formatted.text();
  }

  /** Drops what the text form does not show. */
  public static Instant truncated(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }
}
