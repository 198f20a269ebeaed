package org.svcmailbox.guard;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;

/** The text of a stack trace without secrets. It replaces a throwable that has them. */
final class RedactedStack extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  /** Four patterns that are copies of LogText's, which explains them. */
  private static final Pattern CAPABILITY =
      Pattern.compile(
          "(?:A|%(?:25)*41)(?:g|%(?:25)*67)(?:[E-L]|%(?:25)*4[5-9A-Ca-c])[A-Za-z0-9_%-]{40,}");

  private static final Pattern PRESENTED =
      Pattern.compile("(?<=[Bb]earer |mailbox_console=)[A-Za-z0-9._~+/=-]{16,}");

  private static final Pattern TOKEN =
      Pattern.compile("(?<=/rendezvous/tokens/)(?![0-9a-f]{16}(?![^/\\s]))[^/\\s]+");

  private static final Pattern RECIPIENT =
      Pattern.compile("(?<=/mailbox/[0-9A-Fa-f]{8})[0-9A-Fa-f]{56}");

  private RedactedStack(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  /** The throwable itself, unless its stack trace contains a secret, including all causes. */
  static Throwable of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    String text = stack.toString().stripTrailing();
    String redacted = redacted(text);
    return redacted.equals(text) ? thrown : new RedactedStack(redacted);
  }

  private static String redacted(String stack) {
    String text = CAPABILITY.matcher(stack).replaceAll("<capability>");
    text = PRESENTED.matcher(text).replaceAll("<secret>");
    text = TOKEN.matcher(text).replaceAll("<token>");
    return RECIPIENT.matcher(text).replaceAll("...");
  }

  /** Without the name of this class, because the text begins with the throwable's. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return text;
  }
}
