package org.svcmailbox.guard;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides when a server without its application ends. */
final class ApplicationWatch {
  /** The start lacks something outside the server, such as the database or a port. */
  static final int UNAVAILABLE = 69;

  /** The application ended or never started. */
  static final int NO_APPLICATION = 70;

  /**
   * The application refused its settings or its stores: another start would end in the same way.
   */
  static final int REFUSED = 78;

  private static final Map<String, Integer> CODES =
      Map.of("refused", REFUSED, "unavailable", UNAVAILABLE);

  /** Longer than the server is without the application during a redeployment. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** The system property with the application's state. */
  static final String STATE = "org.svcmailbox.application";

  static final String SERVING = "serving";

  private final Supplier<@Nullable String> state;
  private boolean isMissing;
  private long missingSince;

  /**
   * @param state the value of {@link #STATE}
   */
  ApplicationWatch(Supplier<@Nullable String> state) {
    this.state = state;
  }

  /** The exit code with which to end now; empty to continue. */
  OptionalInt look(long nanos) {
    String now = state.get();
    if (SERVING.equals(now)) {
      isMissing = false;
      return OptionalInt.empty();
    }
    if (!isMissing) {
      isMissing = true;
      missingSince = nanos;
    }
    if (nanos - missingSince < GRACE.toNanos()) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(CODES.getOrDefault(now == null ? "" : now, NO_APPLICATION));
  }
}
