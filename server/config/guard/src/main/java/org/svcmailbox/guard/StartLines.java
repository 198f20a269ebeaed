package org.svcmailbox.guard;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last lines of a start: that the server is ready, its address, and where the secrets of the
 * console and of the API are. The application announces these two places as system properties.
 */
final class StartLines {
  /** Set while there is a guard. Without it, the application logs the announcements itself. */
  static final String GUARD = "org.svcmailbox.guard";

  static final String CONSOLE = "org.svcmailbox.application.console";
  static final String CAPABILITY = "org.svcmailbox.application.capability";

  private final BooleanSupplier isBooting;
  private final Function<String, @Nullable String> announced;
  private final Supplier<Optional<String>> address;
  private final Consumer<String> log;
  private boolean isLogged;

  /**
   * @param isBooting whether the server may still log lines of its start
   * @param announced returns a system property's value, or null
   * @param address the server's URL; empty without a listener
   */
  StartLines(
      BooleanSupplier isBooting,
      Function<String, @Nullable String> announced,
      Supplier<Optional<String>> address,
      Consumer<String> log) {
    this.isBooting = isBooting;
    this.announced = announced;
    this.address = address;
    this.log = log;
  }

  /** Logs the lines once, as soon as the application serves and has announced both places. */
  void look() {
    String console = announced.apply(CONSOLE);
    String capability = announced.apply(CAPABILITY);
    boolean isServing = ApplicationWatch.SERVING.equals(announced.apply(ApplicationWatch.STATE));
    if (isLogged
        || !isServing
        || console == null
        || capability == null
        || isBooting.getAsBoolean()) {
      return;
    }
    isLogged = true;
    String url = address.get().orElse("none");
    List.of(
            "The mailbox server is ready",
            "Address: " + url,
            "Console: " + url + "/console/, " + console,
            "Capability: " + capability)
        .forEach(log);
  }
}
