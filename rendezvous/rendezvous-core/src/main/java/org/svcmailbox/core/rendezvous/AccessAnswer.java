package org.svcmailbox.core.rendezvous;

import java.time.Duration;

/** Whether a caller has access, or why not. */
public sealed interface AccessAnswer {
  record Granted(Access access) implements AccessAnswer {}

  /** The address is on the block list. */
  record Blocked() implements AccessAnswer {}

  /** Too many calls, or too many waiting requests, of this address. */
  record Limited(Duration retryAfter) implements AccessAnswer {}

  /** A token is required and missing. */
  record Unauthorized() implements AccessAnswer {}

  /** The token is invalid, or lacks the right. */
  record Forbidden() implements AccessAnswer {}

  /** The revocation of a capability cannot be checked now. */
  record Unavailable() implements AccessAnswer {}
}
