package org.svcmailbox.outbox.inbox;

/** The outcome of making a message a dead letter by its id. */
public enum RouteOutcome {
  /** It is a dead letter now. */
  ROUTED,
  /** It was one before. Nothing was changed. */
  ALREADY_ROUTED,
  /** It is processed. Nothing was changed. */
  PROCESSED,
  /** A consumer is handling it. Nothing was changed. */
  BUSY,
  /** The inbox has no such message. */
  UNKNOWN
}
