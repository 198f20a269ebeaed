package org.svcmailbox.layout;

/** Names modules, as WildFly's subsystems do, after constants of all the sizes that there are. */
final class NamesModules {
  private static final long LONG = 4_711_000_000_000L;
  private static final double DOUBLE = 0.4711;

  private NamesModules() {}

  static String named() {
    return "loaded.by.name";
  }

  static String unused() {
    return "unused.by.us";
  }

  static String subsystem() {
    return "subsystem.not.configured";
  }

  static double numbers(Runnable runnable) {
    runnable.run();
    Runnable again = () -> numbers(runnable);
    return again.hashCode() * DOUBLE + LONG;
  }
}
