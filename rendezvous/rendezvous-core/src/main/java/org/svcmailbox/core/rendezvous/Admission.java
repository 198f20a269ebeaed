package org.svcmailbox.core.rendezvous;

import java.time.Duration;

/** The gate's answer to a {@link Knock}. */
public sealed interface Admission {
  record Granted(Pass pass) implements Admission {}

  /** The address is on the block list. */
  record Blocked() implements Admission {}

  /** Too many calls, or too many waiting requests of this address. */
  record Limited(Duration retryAfter) implements Admission {}

  /** A token is required and missing. */
  record Unauthorized() implements Admission {}

  /** The token is invalid, or lacks the right. */
  record Forbidden() implements Admission {}

  /** The revocation of a capability cannot be checked now. */
  record Unavailable() implements Admission {}
}
