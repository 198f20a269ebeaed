package org.svcmailbox.web.trace;

import java.util.regex.Pattern;

/** What clients wrote, as it may stand in the log: bounded, on one line, without capabilities. */
public final class LogText {
  private static final int MOST_LOGGED = 512;

  /** A client may have written its own anywhere: into a path, as the name of a field. */
  private static final Pattern CAPABILITY = Pattern.compile("AgEHbWFpbGJveA[A-Za-z0-9_-]+");

  private LogText() {}

  /** Its printable form. */
  public static String of(CharSequence written) {
    StringBuilder line = new StringBuilder(CAPABILITY.matcher(written).replaceAll("<capability>"));
    line.setLength(Math.min(line.length(), MOST_LOGGED));
    for (int i = 0; i < line.length(); i++) {
      if (Character.isISOControl(line.charAt(i))
          || Character.getType(line.charAt(i)) == Character.LINE_SEPARATOR) {
        line.setCharAt(i, '?');
      }
    }
    return line.toString();
  }
}
