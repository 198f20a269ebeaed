package org.svcmailbox.guard;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Removes secrets from the stack traces that the server logs, because the log's other filters only
 * see a line's message. Every line passes.
 */
public final class StackFilter implements Filter {
  @Override
  public boolean isLoggable(LogRecord line) {
    Throwable thrown = line.getThrown();
    if (thrown != null) {
      line.setThrown(RedactedStack.of(thrown));
    }
    return true;
  }
}
