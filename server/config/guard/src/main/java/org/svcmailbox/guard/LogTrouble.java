package org.svcmailbox.guard;

import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Says once in one line why a log handler cannot write. The server's own adds a stack trace. */
final class LogTrouble extends ErrorManager {
  private boolean isSaid;

  private LogTrouble() {}

  /** Replaces the error manager of all handlers of the server's log. */
  static void shorten() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setErrorManager(new LogTrouble());
    }
  }

  @Override
  public synchronized void error(@Nullable String message, @Nullable Exception cause, int code) {
    if (!isSaid) {
      isSaid = true;
      System.err.println("The log cannot be written: " + message + ": " + OneLine.text(cause));
    }
  }
}
