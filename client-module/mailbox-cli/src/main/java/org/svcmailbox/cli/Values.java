package org.svcmailbox.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.client.MailboxNames;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Values of arguments, checked before any call. */
final class Values {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private Values() {}

  static Duration duration(String text) {
    try {
      return Amounts.duration(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + ", not " + text);
    }
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
