package org.svcmailbox.guard;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/** Puts the causes of a failure into its line, instead of a stack trace. Every line passes. */
public final class OneLineFilter implements Filter {
  @Override
  public boolean isLoggable(LogRecord line) {
    Throwable thrown = line.getThrown();
    if (thrown != null) {
      line.setThrown(OneLine.of(thrown));
    }
    return true;
  }
}
