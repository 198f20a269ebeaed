package org.svcmailbox.web.trace;

import java.util.regex.Pattern;

/**
 * Text of clients as it may stand in the log: bounded, on one line, without capabilities, tokens of
 * the rendezvous door, and more than eight digits of a mailbox there.
 */
public final class LogText {
  private static final int MAX_LENGTH = 512;

  /** A client may have written its own anywhere: into a path, as the name of a field. */
  private static final Pattern CAPABILITY = Pattern.compile("AgEHbWFpbGJveA[A-Za-z0-9_-]+");

  /** Where the id of a token belongs, a client may write the token. */
  private static final Pattern TOKEN =
      Pattern.compile("(/rendezvous/tokens/)(?![0-9a-f]{16}(?:[/ ]|$))[^/ ]+");

  /** A mailbox of the rendezvous door, perhaps in a call that came to the wrong port. */
  private static final Pattern RECIPIENT = Pattern.compile("\\b([0-9A-Fa-f]{8})[0-9A-Fa-f]{56}\\b");

  private LogText() {}

  /** Its printable form. */
  public static String of(CharSequence written) {
    String text = CAPABILITY.matcher(written).replaceAll("<capability>");
    text = TOKEN.matcher(text).replaceAll("$1<token>");
    StringBuilder line = new StringBuilder(RECIPIENT.matcher(text).replaceAll("$1..."));
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
