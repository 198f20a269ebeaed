package org.svcmailbox.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.client.MailboxNames;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Values of arguments, checked before any call. */
final class Values {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private Values() {}

  /** A duration such as {@code 250ms}, {@code 5s} or {@code 7d}, or as ISO-8601 has it. */
  static Duration duration(String text) {
    Matcher amount = AMOUNT.matcher(text);
    if (amount.matches()) {
      return unit(amount.group(2)).multipliedBy(Long.parseLong(amount.group(1)));
    }
    try {
      Duration parsed = Duration.parse(text);
      if (!parsed.isNegative()) {
        return parsed;
      }
    } catch (DateTimeException e) {
      throw noDuration();
    }
    throw noDuration();
  }

  private static Duration unit(String name) {
    return switch (name) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  private static TypeConversionException noDuration() {
    return new TypeConversionException("a duration is like 250ms, 5s, 10m, 12h, 7d or PT5S");
  }

  /** A moment, as ISO-8601 has it. */
  static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException("a time is like 2026-11-22T03:00:00Z");
    }
  }

  /** A number from 0. */
  static Integer number(String text) {
    return Integer.valueOf(matching(text, NUMBER, "a number is needed"));
  }

  private static String matching(String text, Pattern form, String otherwise) {
    if (!form.matcher(text).matches()) {
      throw new TypeConversionException(otherwise);
    }
    return text;
  }

  /** A topic's name. */
  static final class Topic implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!MailboxNames.isValid(text)) {
        throw new TypeConversionException("a topic is 1 to 255 of A-Z a-z 0-9 . _ -");
      }
      return text;
    }
  }

  /** A message's id. */
  static final class MessageId implements ITypeConverter<String> {
    private static final Pattern FORM = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");

    @Override
    public String convert(String text) {
      return matching(text, FORM, "a message's id is a ULID, 26 characters");
    }
  }

  /** The id of a job over dead letters. */
  static final class JobId implements ITypeConverter<String> {
    private static final Pattern FORM = Pattern.compile("j[0-9a-f]{16}");

    @Override
    public String convert(String text) {
      return matching(text, FORM, "a job's id is j and 16 hex digits");
    }
  }

  /** A number of items, at least 1. */
  static final class Count implements ITypeConverter<Integer> {
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]{0,8}");

    @Override
    public Integer convert(String text) {
      return Integer.valueOf(matching(text, FORM, "a number from 1 to 999999999 is needed"));
    }
  }
}
