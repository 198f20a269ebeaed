package org.svcmailbox.core.health;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Publishes the application's state as a system property, for {@code server/config/guard}, which
 * ends a server without the application.
 */
public final class ApplicationState {
  private static final String KEY = "org.svcmailbox.application";
  private static final String GUARD = "org.svcmailbox.guard";
  private static final String SERVING = "serving";
  private static final Set<Half> RUNNING = EnumSet.noneOf(Half.class);

  /** The server deploys each half by itself. */
  public enum Half {
    MAILBOX,
    ENDPOINTS
  }

  /** A secret that admits its holder. */
  public enum WayIn {
    CONSOLE,
    CAPABILITY
  }

  private ApplicationState() {}

  /**
   * Announces where a secret is, for the last lines of a start.
   *
   * @return whether the guard logs it; otherwise the caller does
   */
  public static boolean announced(WayIn way, String text) {
    System.setProperty(KEY + "." + way.name().toLowerCase(Locale.ROOT), text);
    return System.getProperty(GUARD) != null;
  }

  /** Called when a half has started. The application serves once both have. */
  public static synchronized void begun(Half half) {
    RUNNING.add(half);
    if (RUNNING.size() == Half.values().length) {
      System.setProperty(KEY, SERVING);
    }
  }

  /** Called when a half stops. */
  public static synchronized void ended(Half half) {
    RUNNING.remove(half);
    System.getProperties().remove(KEY, SERVING);
  }

  /**
   * Called when the application cannot start.
   *
   * @param why the line that says so in the log; the guard drops what the server logs beside it
   * @param isFinal whether each start fails in the same way until an operator intervenes
   */
  static void failed(String why, boolean isFinal) {
    System.setProperty(KEY + ".failure", why);
    System.setProperty(KEY, isFinal ? "refused" : "unavailable");
  }
}
