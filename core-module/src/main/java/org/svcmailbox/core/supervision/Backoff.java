package org.svcmailbox.core.supervision;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Growing pauses with full jitter: the first at most {@code base}, none above {@code most}. */
public record Backoff(Duration base, Duration most) {

  /** {@code rand(0, min(most, base * 2^failures))}, without overflow. */
  public Duration after(int failures, RandomGenerator random) {
    // After this many doublings, any base of at least 1 ms exceeds any allowed maximum.
    int doublings = Math.min(failures, Long.numberOfLeadingZeros(base.toMillis()) - 1);
    long ceiling = Math.min(most.toMillis(), base.toMillis() << doublings);
    return Duration.ofMillis(random.nextLong(ceiling + 1));
  }
}
