package org.svcmailbox.core.rendezvous;

public sealed interface GetOutcome {
  /** A message, to be settled by {@link Handover#written} or {@link Handover#failed}. */
  record Found(Handover handover) implements GetOutcome {}

  record Empty() implements GetOutcome {}

  /** The request waited and would no longer be admitted. */
  record Revoked() implements GetOutcome {}

  record TooManyWaiters() implements GetOutcome {}

  record Full() implements GetOutcome {}

  /** The service is closing, and the request would have waited. */
  record Closing() implements GetOutcome {}
}
