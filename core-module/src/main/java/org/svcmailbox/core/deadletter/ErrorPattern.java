package org.svcmailbox.core.deadletter;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An error text on one line, with {@value #ANY} in place of numbers, times, addresses and ids. It
 * keeps the codes of {@link ErrorCodes}. A change needs another {@link Fingerprint} version.
 */
public record ErrorPattern(String text) {
  public static final String ANY = "#";

  public static final int MAX_LENGTH = 256;

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** Every alternative fails at once or consumes its word, so matching takes linear time. */
  private static final Pattern VARYING =
      Pattern.compile(
          String.join(
              "|",
              "(" + ErrorCodes.ALL + ")",
              uuid(),
              "0x\\p{XDigit}+",
              // The hash code in Object.toString().
              "(?<=@)\\p{XDigit}{4,16}\\b",
              word("\\p{Alnum}*\\p{Digit}", "\\p{XDigit}{8,}"),
              word("(?:\\p{Alpha}*\\p{Digit}){3}", "\\p{Alnum}{16,}"),
              // A version, date, time, IP address or port becomes one mark.
              "\\p{Nd}+(?:[-.:,+T](?!0x)\\p{Nd}+)*(?:Z\\b)?"));

  /** The version of HTTP at the beginning of a kept code. */
  private static final Pattern HTTP_VERSION = Pattern.compile("^((?i)http/)\\d(?:\\.\\d)?");

  private static String uuid() {
    return "\\b\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b";
  }

  private static String word(String beginning, String whole) {
    return "\\b(?=" + beginning + ")" + whole + "\\b";
  }

  public static ErrorPattern of(String error) {
    String varying = VARYING.matcher(error).replaceAll(ErrorPattern::replacement);
    return new ErrorPattern(shortened(BLANKS.matcher(varying).replaceAll(" ").strip()));
  }

  private static String replacement(MatchResult found) {
    String code = found.group(1);
    return code == null
        ? ANY
        : Matcher.quoteReplacement(HTTP_VERSION.matcher(code).replaceFirst("$1" + ANY));
  }

  private static String shortened(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean isSplit = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, isSplit ? MAX_LENGTH - 1 : MAX_LENGTH).strip();
  }
}
