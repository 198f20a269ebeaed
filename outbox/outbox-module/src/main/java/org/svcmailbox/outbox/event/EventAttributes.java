package org.svcmailbox.outbox.event;

/** The attributes of a message that carries an event. The names are part of the API. */
public final class EventAttributes {
  /** The event's id. */
  public static final String MESSAGE_ID = "message_id";

  /** The subject that it was published under. */
  public static final String SUBJECT = "subject";

  /** Its name. */
  public static final String EVENT_TYPE = "event_type";

  /** The version of its payload. */
  public static final String EVENT_VERSION = "event_version";

  /** When it happened, as ISO 8601 in UTC. */
  public static final String OCCURRED_AT = "occurred_at";

  /** Shared by everything that follows from one request; optional. */
  public static final String CORRELATION_ID = "correlation_id";

  /** The message that led to the event; optional. */
  public static final String CAUSATION_ID = "causation_id";

  private EventAttributes() {}
}
