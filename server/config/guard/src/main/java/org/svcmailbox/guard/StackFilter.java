package org.svcmailbox.guard;

import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Takes secrets out of the stacks that the server logs. The log's other filters see the message of
 * a line only. Every line passes.
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
