package org.svcmailbox.console.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a session may have an elevated capability: its user must have signed in or
 * confirmed a short while ago, and a session gets ten a minute. One thread at a time.
 */
final class StepUp {
  static final int MOST = 10;
  static final Duration PERIOD = Duration.ofMinutes(1);

  private final Duration provenFor;

  /** When the user was last proven, on the monotonic clock; null for never. */
  private @Nullable Long proven;

  private final Deque<Long> granted = new ArrayDeque<>(MOST);

  /** The decision. */
  sealed interface Verdict {}

  /** The session may have one, and it is counted. */
  record Granted() implements Verdict {}

  /** The user has to confirm first. */
  record Unconfirmed() implements Verdict {}

  /** The session had too many; {@code delay} until it may have the next. */
  record TooMany(Duration delay) implements Verdict {}

  /**
   * Begins with a sign-in.
   *
   * @param provenFor how long a sign-in or confirmation counts
   * @param now on the monotonic clock, in nanoseconds
   * @param ago when the user proved to be the user; empty if nobody knows
   */
  StepUp(Duration provenFor, long now, Optional<Duration> ago) {
    this.provenFor = provenFor;
    proven = ago.map(time -> now - time.toNanos()).orElse(null);
  }

  /** Records that the user confirmed. */
  void confirmed(long now) {
    proven = now;
  }

  Verdict grant(long now) {
    Long since = proven;
    if (since == null || now - since >= provenFor.toNanos()) {
      return new Unconfirmed();
    }
    granted.removeIf(at -> now - at >= PERIOD.toNanos());
    if (granted.size() >= MOST) {
      return new TooMany(PERIOD.minusNanos(now - granted.getFirst()));
    }
    granted.add(now);
    return new Granted();
  }
}
