package org.svcmailbox.core.rendezvous.access;

import java.time.Duration;
import java.util.function.BooleanSupplier;

sealed interface Verdict {
  /** The token allows the request; a rate of its own ({@code isCounted}) replaces its address. */
  record Passed(boolean isCounted, BooleanSupplier isValid) implements Verdict {}

  record Missing() implements Verdict {}

  record Refused(boolean isCounted) implements Verdict {}

  /** The token was used too often. */
  record Exhausted(Duration retryAfter) implements Verdict {}

  /** The database is away. */
  record Unknown() implements Verdict {}
}
