package org.svcmailbox.outbox.inbox;

import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.outbox.event.EventAttributes;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;

/** Messages that carry events. */
public final class EventMessages {
  /** A subject. */
  public static final EventSubject PAID = EventSubject.of("shop", "paid", 1);

  private EventMessages() {}

  /** The attributes that every event has, to be changed. */
  public static Map<String, String> attributes(MessageId id, EventSubject subject) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put(EventAttributes.MESSAGE_ID, id.toString());
    attributes.put(EventAttributes.SUBJECT, subject.value());
    attributes.put(EventAttributes.EVENT_TYPE, subject.eventType());
    attributes.put(EventAttributes.EVENT_VERSION, Integer.toString(subject.version()));
    attributes.put(EventAttributes.OCCURRED_AT, "2026-01-01T00:00:00Z");
    return attributes;
  }

  /** A delivery of an event of {@link #PAID}. */
  public static Delivery delivery(MessageId id, String msgId, int attempt, int lane, String body) {
    return new Delivery(msgId, "r" + attempt, attempt, lane, attributes(id, PAID), body);
  }
}
