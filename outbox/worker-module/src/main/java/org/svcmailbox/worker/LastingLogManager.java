package org.svcmailbox.worker;

import java.util.logging.LogManager;

/**
 * Keeps the log open until the process ends. The JDK's own log manager closes it in a shutdown
 * hook, which runs in parallel to the one that stops the worker and still logs.
 */
public final class LastingLogManager extends LogManager {
  private volatile boolean isKept;

  /** Called by the JDK, which finds the class through a property. */
  public LastingLogManager() {}

  /** Makes {@link #reset} do nothing from now on. */
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
