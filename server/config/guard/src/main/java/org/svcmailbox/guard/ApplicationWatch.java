package org.svcmailbox.guard;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides when a server without its application ends. */
final class ApplicationWatch {
  /** The application ended or never began. */
  static final int NO_APPLICATION = 70;

  /** The application refused its settings or its stores: another start would end the same way. */
  static final int REFUSED = 78;

  /** Longer than an operator's redeployment leaves the server without it. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** A system property of this name says how the application is. */
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

  /** The exit code to end with now, if any. */
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
    return OptionalInt.of("refused".equals(now) ? REFUSED : NO_APPLICATION);
  }
}
