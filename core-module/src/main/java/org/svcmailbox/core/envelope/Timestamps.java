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

  private Timestamps() {}

  /** The hash chain covers this text. */
  public static String text(Instant instant) {
    return FORMAT.format(instant);
  }

  /** Drops what the text form does not show. */
  public static Instant truncated(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS);
  }
}
