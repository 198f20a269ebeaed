package org.svcmailbox.core.rendezvous;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The judgement of a request's token. */
sealed interface Verdict {
  /**
   * It allows the request.
   *
   * @param isCounted whether the call was counted with the token, and not to be by its address
   * @param isValid whether it still does; never blocks
   */
  record Passed(boolean isCounted, BooleanSupplier isValid) implements Verdict {}

  /** There is none. */
  record Missing() implements Verdict {}

  /** It does not allow the request. */
  record Refused(boolean isCounted) implements Verdict {}

  /** The token was used too often. */
  record Exhausted(Duration retryAfter) implements Verdict {}

  /** The database is away. */
  record Unknown() implements Verdict {}
}
