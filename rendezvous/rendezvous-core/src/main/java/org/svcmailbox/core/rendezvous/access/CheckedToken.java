package org.svcmailbox.core.rendezvous.access;

import java.time.Duration;
import java.util.function.BooleanSupplier;

sealed interface CheckedToken {
  /**
   * The token allows the request. If {@code isCounted}, the token's own rate replaces that of the
   * address.
   */
  record Passed(boolean isCounted, BooleanSupplier isValid) implements CheckedToken {}

  record Missing() implements CheckedToken {}

  record Refused(boolean isCounted) implements CheckedToken {}

  /** The token was used too often. */
  record Exhausted(Duration retryAfter) implements CheckedToken {}

  /** The database is away. */
  record Unknown() implements CheckedToken {}
}
