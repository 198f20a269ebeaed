package org.svcmailbox.outbox.event;

/** The reason why the outbox or the inbox refuses a call. The names are part of the API. */
public enum ErrorCode {
  /** An event without id or type, with a payload that is not JSON, or with too long a key. */
  INVALID_OUTBOX,
  /** An event that occurred after the clock of its writer. */
  FUTURE_EVENT,
  /** An event whose type or version makes no subject. */
  INVALID_SUBJECT,
  /** A payload over {@link EventRules#MAX_PAYLOAD_BYTES}. */
  PAYLOAD_TOO_LARGE,
  /** A call outside a transaction of the caller. */
  NO_TRANSACTION,
  /** An event that no consumer subscribes to. */
  NO_ROUTE,
  /**
   * A message that the inbox has processed before. Never thrown: it is skipped, as {@code
   * Handled.DUPLICATE} says.
   */
  DUPLICATE_MESSAGE,
  /** A message that would be processed before it was received. */
  INVALID_TIMESTAMP,
  /** A message without the attributes of an event, or whose body is not JSON. */
  INVALID_MESSAGE,
  /** Settings that cannot be used. */
  INVALID_CONFIG,
  /** The service refuses the event permanently. */
  REFUSED
}
