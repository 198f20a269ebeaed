package org.svcmailbox.core.refusal;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The text of a stack without secrets, in place of the throwable that has them. */
public final class LoggedStack extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  private LoggedStack(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  /** The throwable itself unless its stack, with all causes, has a secret. */
  public static Throwable of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack));
    String text = stack.toString().stripTrailing();
    String redacted = LogText.redacted(text);
    return redacted.equals(text) ? thrown : new LoggedStack(redacted);
  }

  /** Without the name of this class: the text begins with that of the throwable. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return text;
  }
}
