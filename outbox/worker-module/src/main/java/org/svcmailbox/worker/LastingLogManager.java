package org.svcmailbox.worker;

import java.util.logging.LogManager;

/**
 * Keeps the log open while the process ends. The JDK's own closes it in a shutdown hook, beside the
 * one that stops the worker and has something to say.
 */
public final class LastingLogManager extends LogManager {
  private volatile boolean isKept;

  /** Called by the JDK, which finds the class by a property. */
  public LastingLogManager() {}

  /** From now on, {@link #reset} does nothing. */
  void keep() {
    isKept = true;
  }

  @Override
  public void reset() {
    if (!isKept) {
      super.reset();
    }
  }
}
