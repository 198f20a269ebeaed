package org.svcmailbox.core.rendezvous;

/** The end of a GET. */
public sealed interface GetOutcome {
  /** A message, to be settled by {@link Handover#written} or {@link Handover#failed}. */
  record Found(Handover handover) implements GetOutcome {}

  /** No message came in time. */
  record Empty() implements GetOutcome {}

  /** The request waited and would no longer be admitted. */
  record Revoked() implements GetOutcome {}

  /** The mailbox has its most waiting requests. */
  record TooManyWaiters() implements GetOutcome {}

  /** The door has its most waiting requests. */
  record Full() implements GetOutcome {}

  /** The door is closing, and the request would have waited. */
  record Closing() implements GetOutcome {}
}
