package org.svcmailbox.core.rendezvous;

public sealed interface GetOutcome {
  /** A message, which {@link Handover#written} or {@link Handover#failed} must settle. */
  record Found(Handover handover) implements GetOutcome {}

  record Empty() implements GetOutcome {}

  /** The request has waited and would no longer be admitted. */
  record Revoked() implements GetOutcome {}

  record TooManyWaiters() implements GetOutcome {}

  record Full() implements GetOutcome {}

  /** The service is closing, and the request would have to wait. */
  record Closing() implements GetOutcome {}
}
