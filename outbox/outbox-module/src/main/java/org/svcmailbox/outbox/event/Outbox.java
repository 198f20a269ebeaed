package org.svcmailbox.outbox.event;

/** Records events in the caller's transaction: they are published if it commits, and only then. */
@FunctionalInterface
public interface Outbox {
  /**
   * Records an event.
   *
   * <p>Joins the caller's transaction. Checks the event before any SQL, so the transaction stays
   * usable after a refusal.
   *
   * @return the event's id
   * @throws OutboxException with {@link ErrorCode#INVALID_OUTBOX}, {@link ErrorCode#FUTURE_EVENT},
   *     {@link ErrorCode#INVALID_SUBJECT} or {@link ErrorCode#PAYLOAD_TOO_LARGE} if the event
   *     breaks a rule, and with {@link ErrorCode#NO_TRANSACTION} if the caller has no transaction
   */
  MessageId record(NewEvent event);
}
