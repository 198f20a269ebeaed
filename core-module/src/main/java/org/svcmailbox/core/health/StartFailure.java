package org.svcmailbox.core.health;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.StartException;

/** Logs in one line why the application cannot start. The stack trace is for the level DEBUG. */
public final class StartFailure {
  private static final Logger LOG = System.getLogger(StartFailure.class.getName());

  /** Several modules may fail for one reason. */
  private static final AtomicReference<@Nullable String> SAID = new AtomicReference<>();

  /** Set by the script of a server without a guard, which would go on without the application. */
  private static final String ENDS = "org.svcmailbox.ends";

  /** The exit codes of the guard, by the convention of {@code sysexits.h}. */
  private static final int REFUSED = 78;

  private static final int UNAVAILABLE = 69;

  private StartFailure() {}

  /**
   * Reports a failure that is, or is caused by, a {@link StartException}: logs its message once,
   * and publishes it as the application's state.
   *
   * @return false for any other failure, about which somebody else must log everything
   */
  public static boolean report(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartException told) {
        say(String.valueOf(told.getMessage()), told);
        return true;
      }
    }
    return false;
  }

  private static void say(String why, StartException failure) {
    ApplicationState.failed(why, failure.isFinal());
    if (!why.equals(SAID.getAndSet(why))) {
      LOG.log(Level.ERROR, why);
      LOG.log(Level.DEBUG, "The failure of the start", failure);
    }
    if (Boolean.getBoolean(ENDS)) {
      // Nothing was served, and the server would log the failure once more.
      Runtime.getRuntime().halt(failure.isFinal() ? REFUSED : UNAVAILABLE);
    }
  }
}
