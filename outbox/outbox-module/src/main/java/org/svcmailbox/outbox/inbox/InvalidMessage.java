package org.svcmailbox.outbox.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.EventAttributes;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Payload;

/**
 * Stands in for the event of a message without a valid one, so that the inbox can record its death
 * like any other. Keeps the readable fields.
 */
final class InvalidMessage {
  /** The event type of a message whose subject cannot be read. */
  static final String TYPE = "invalid_message";

  private InvalidMessage() {}

  /** The event, which no handler gets. */
  static HandlerPayload of(InboxTransaction transaction, Delivery delivery, String context) {
    EventSubject subject =
        read(delivery, EventAttributes.SUBJECT, EventSubject::new)
            .orElse(EventSubject.of(context, TYPE, 1));
    return new HandlerPayload(
        id(transaction, delivery),
        subject,
        subject.eventType(),
        subject.version(),
        Instant.EPOCH,
        uuid(delivery, EventAttributes.CORRELATION_ID),
        uuid(delivery, EventAttributes.CAUSATION_ID),
        new Payload("null"),
        delivery.trace());
  }

  /**
   * The event's id, unless the message has none or the inbox knows another message of this id,
   * which may be sound. Then it is the message's id in the service.
   */
  private static MessageId id(InboxTransaction transaction, Delivery delivery) {
    return read(delivery, EventAttributes.MESSAGE_ID, MessageId::parse)
        .filter(id -> isFree(transaction, id, delivery.msgId()))
        .orElseGet(() -> ofService(delivery.msgId()));
  }

  private static boolean isFree(InboxTransaction transaction, MessageId id, String msgId) {
    Optional<DeadLetter> letter = transaction.deadLetters().find(id);
    return letter.isPresent()
        ? letter.get().msgId().equals(msgId)
        : transaction.message(id).isEmpty();
  }

  private static MessageId ofService(String msgId) {
    try {
      return MessageId.parse(msgId);
    } catch (IllegalArgumentException e) {
      return new MessageId(UUID.nameUUIDFromBytes(msgId.getBytes(UTF_8)));
    }
  }

  private static @Nullable UUID uuid(Delivery delivery, String attribute) {
    return read(delivery, attribute, MessageId::parse).map(MessageId::value).orElse(null);
  }

  private static <T> Optional<T> read(
      Delivery delivery, String attribute, Function<String, T> reader) {
    try {
      return Optional.ofNullable(delivery.attributes().get(attribute)).map(reader);
    } catch (IllegalArgumentException | OutboxException e) {
      return Optional.empty();
    }
  }
}
