package org.svcmailbox.outbox.mailbox;

/** The attributes of a message that carries an event. The names are part of the API. */
final class EventAttributes {
  static final String MESSAGE_ID = "message_id";
  static final String SUBJECT = "subject";
  static final String EVENT_TYPE = "event_type";
  static final String EVENT_VERSION = "event_version";
  static final String OCCURRED_AT = "occurred_at";
  static final String CORRELATION_ID = "correlation_id";
  static final String CAUSATION_ID = "causation_id";

  private EventAttributes() {}
}
