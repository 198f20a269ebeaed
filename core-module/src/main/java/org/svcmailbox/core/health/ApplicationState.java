package org.svcmailbox.core.health;

/**
 * Tells the process about the application in it, by a system property. The property outlives the
 * application; {@code server-config/guard} reads it and ends a server without the application.
 */
public final class ApplicationState {
  private static final String KEY = "org.svcmailbox.application";
  private static final String SERVING = "serving";

  private ApplicationState() {}

  /** The application serves. */
  public static void serving() {
    System.setProperty(KEY, SERVING);
  }

  /** The application does not begin, and will not for as long as its settings are what they are. */
  public static void refused() {
    System.setProperty(KEY, "refused");
  }

  /** An application that served does so no more. */
  public static void ended() {
    System.getProperties().remove(KEY, SERVING);
  }
}
