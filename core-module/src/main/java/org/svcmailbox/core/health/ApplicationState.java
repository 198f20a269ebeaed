package org.svcmailbox.core.health;

import java.util.EnumSet;
import java.util.Set;

/**
 * Tells the process about the application in it, by a system property. The property outlives the
 * application; {@code server-config/guard} reads it and ends a server without the application.
 */
public final class ApplicationState {
  private static final String KEY = "org.svcmailbox.application";
  private static final String SERVING = "serving";
  private static final Set<Half> RUNNING = EnumSet.noneOf(Half.class);

  /** A start deploys each by itself: the endpoints can be there without the mailbox. */
  public enum Half {
    /** The beans with the workers and their stores. */
    MAILBOX,
    /** The web module. */
    ENDPOINTS
  }

  private ApplicationState() {}

  /** A half has begun; with the other one the application serves. */
  public static synchronized void begun(Half half) {
    RUNNING.add(half);
    if (RUNNING.size() == Half.values().length) {
      System.setProperty(KEY, SERVING);
    }
  }

  /** A half ends; the application does not serve without it. */
  public static synchronized void ended(Half half) {
    RUNNING.remove(half);
    System.getProperties().remove(KEY, SERVING);
  }

  /** The application does not begin, nor will it until an operator has changed something. */
  public static void refused() {
    System.setProperty(KEY, "refused");
  }
}
