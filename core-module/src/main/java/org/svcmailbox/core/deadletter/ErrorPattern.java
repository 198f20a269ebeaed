package org.svcmailbox.core.deadletter;

import java.util.regex.Pattern;

/**
 * An error without what differs from case to case: numbers, times, addresses and ids are {@value
 * #ANY}, and blanks, line ends among them, are one blank.
 *
 * @param text at most {@value #MAX_LENGTH} characters
 */
public record ErrorPattern(String text) {
  /** What stands for whatever differs. */
  public static final String ANY = "#";

  /** The longest text; what is behind is no part of the pattern. */
  public static final int MAX_LENGTH = 256;

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** Every alternative ends at once or eats its word: linear in the error's length. */
  private static final Pattern VARYING =
      Pattern.compile(
          String.join(
              "|",
              uuid(),
              "0x\\p{XDigit}+",
              // What Object.toString() puts behind a class.
              "(?<=@)\\p{XDigit}{4,16}\\b",
              word("\\p{Alnum}*\\p{Digit}", "\\p{XDigit}{8,}"),
              word("(?:\\p{Alpha}*\\p{Digit}){3}", "\\p{Alnum}{16,}"),
              // Versions, dates, times, IP addresses and ports are one thing each.
              "\\p{Nd}+(?:[-.:,+T](?!0x)\\p{Nd}+)*(?:Z\\b)?"));

  private static String uuid() {
    return "\\b\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b";
  }

  private static String word(String beginning, String whole) {
    return "\\b(?=" + beginning + ")" + whole + "\\b";
  }

  /** The pattern of an error. */
  public static ErrorPattern of(String error) {
    String varying = VARYING.matcher(error).replaceAll(ANY);
    return new ErrorPattern(shortened(BLANKS.matcher(varying).replaceAll(" ").strip()));
  }

  private static String shortened(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean isSplit = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, isSplit ? MAX_LENGTH - 1 : MAX_LENGTH).strip();
  }
}
