package org.svcmailbox.outbox.inbox;

/** The outcome of a delivery, for metrics. */
public enum Handled {
  /** The handler did it. */
  PROCESSED,
  /** The handler says that it did it before. */
  ALREADY_PROCESSED,
  /** The inbox says that it was done before; the handler was not called. */
  DUPLICATE,
  /** It became a dead letter. */
  DEAD,
  /** It comes again. */
  RETRY,
  /** Another copy is being handled; it comes again. */
  BUSY;

  /** Whether the handler, or what it needs, was not able to work. */
  boolean isFailure() {
    return this == RETRY;
  }

  /** Whether the handler could work; false for a skipped copy, which does not tell. */
  boolean isSuccess() {
    return this == PROCESSED || this == ALREADY_PROCESSED || this == DEAD;
  }
}
