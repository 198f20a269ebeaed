package org.svcmailbox.core.rendezvous;

import java.time.Duration;

/** The gate's answer to a {@link Knock}. */
public sealed interface Admission {
  /** Let in, with the pass that the manager asks for. */
  record Granted(Pass pass) implements Admission {}

  /** The address is on the block list. */
  record Blocked() implements Admission {}

  /**
   * Too many calls, or too many waiting requests of this address.
   *
   * @param retryAfter when a call will pass again
   */
  record Limited(Duration retryAfter) implements Admission {}

  /** A token is required and none came. */
  record Unauthorized() implements Admission {}

  /** The token is invalid, or lacks the right. */
  record Forbidden() implements Admission {}

  /** The token is a capability, and whether it was revoked cannot be found out now. */
  record Unavailable() implements Admission {}
}
