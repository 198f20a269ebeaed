package org.svcmailbox.core.refusal;

import java.util.regex.Pattern;

/**
 * Sanitizes text from clients for the log: one bounded line without capabilities, rendezvous tokens
 * or full mailbox ids.
 */
public final class LogText {
  private static final int MAX_LENGTH = 512;

  /**
   * A client may write its capability into a path or a field name. A macaroon of format V2 begins
   * with a location, which anybody may change, or an identifier, and has a signature of 43 digits.
   * Each digit may be percent-encoded, and so may its percent sign.
   */
  private static final Pattern CAPABILITY =
      Pattern.compile(
          "(?:A|%(?:25)*41)(?:g|%(?:25)*67)(?:[E-L]|%(?:25)*4[5-9A-Ca-c])[A-Za-z0-9_%-]{40,}");

  /** A header that some part of the server quotes: a bearer token, or the console's session. */
  private static final Pattern PRESENTED =
      Pattern.compile("(?<=[Bb]earer |mailbox_console=)[A-Za-z0-9._~+/=-]{16,}");

  /** A client may write a token instead of its id. */
  private static final Pattern TOKEN =
      Pattern.compile("(?<=/rendezvous/tokens/)(?![0-9a-f]{16}(?![^/\\s]))[^/\\s]+");

  /** A rendezvous mailbox, for example in a call to the wrong port. */
  private static final Pattern RECIPIENT = Pattern.compile("\\b([0-9A-Fa-f]{8})[0-9A-Fa-f]{56}\\b");

  private LogText() {}

  /** The text without secrets, neither shortened nor joined to one line. */
  static String redacted(CharSequence written) {
    String text = CAPABILITY.matcher(written).replaceAll("<capability>");
    text = PRESENTED.matcher(text).replaceAll("<secret>");
    text = TOKEN.matcher(text).replaceAll("<token>");
    return RECIPIENT.matcher(text).replaceAll("$1...");
  }

  public static String of(CharSequence written) {
    StringBuilder line = new StringBuilder(redacted(written));
    line.setLength(Math.min(line.length(), MAX_LENGTH));
    for (int i = 0; i < line.length(); i++) {
      if (Character.isISOControl(line.charAt(i))
          || Character.getType(line.charAt(i)) == Character.LINE_SEPARATOR) {
        line.setCharAt(i, '?');
      }
    }
    return line.toString();
  }
}
