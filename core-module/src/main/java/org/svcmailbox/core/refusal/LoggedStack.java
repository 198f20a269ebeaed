package org.svcmailbox.core.refusal;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The text of a stack trace without secrets. It replaces a throwable that has them. */
public final class LoggedStack extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  private LoggedStack(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  /** The throwable itself, unless its stack trace contains a secret, including all causes. */
  public static Throwable of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    String text = stack.toString().stripTrailing();
    String redacted = LogText.redacted(text);
    return redacted.equals(text) ? thrown : new LoggedStack(redacted);
  }

  /** Without the name of this class, because the text begins with the throwable's. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return text;
  }
}
