package org.svcmailbox.core.capability;

import java.time.Duration;

/**
 * How old an answer about a revocation may be. Pure.
 *
 * @param fresh the age at which the store is asked again
 * @param outage the age up to which it counts while the store cannot be asked; at least {@code
 *     fresh}
 */
record BeliefTerms(Duration fresh, Duration outage) {
  BeliefTerms {
    if (outage.compareTo(fresh) < 0) {
      throw new IllegalArgumentException("an outage ends no belief early");
    }
  }

  /** Whether the store need not be asked again. */
  boolean isFresh(Duration age) {
    return age.compareTo(fresh) < 0;
  }

  /** Whether an answer of this age counts without the store. */
  boolean isBelieved(Duration age) {
    return age.compareTo(outage) < 0;
  }

  /** How long an answer of this age will still count without the store; zero if it does not. */
  Duration left(Duration age) {
    return isBelieved(age) ? outage.minus(age) : Duration.ZERO;
  }
}
