package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The judgement of a request's token. */
sealed interface Verdict {
  /**
   * @param isCounted whether it has a rate of its own, so that its address is not counted
   * @param isValid whether it is still valid; never blocks
   */
  record Passed(boolean isCounted, BooleanSupplier isValid) implements Verdict {}

  record Missing() implements Verdict {}

  record Refused(boolean isCounted) implements Verdict {}

  /** The token was used too often. */
  record Exhausted(Duration retryAfter) implements Verdict {}

  /** The database is away. */
  record Unknown() implements Verdict {}
}
