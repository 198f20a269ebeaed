package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.event.Reason;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * Handles single messages, or makes them dead letters, without a topic and so without an
 * acknowledgement. A consumer that receives the message later acknowledges it if it was processed,
 * or moves it to the dead letters of the service if it is dead. Thread-safe.
 */
public final class InboxCommands {
  private final InboxStore store;
  private final EventHandler handler;
  private final MessageGuard guard;
  private final String consumer;
  private final MailboxClock clock;

  /**
   * The commands of one consumer.
   *
   * @param consumer its name, as {@link InboxSettings#consumer} has it
   */
  public InboxCommands(
      InboxStore store,
      EventHandler handler,
      MessageGuard guard,
      String consumer,
      MailboxClock clock) {
    this.store = requireNonNull(store, "store");
    this.handler = requireNonNull(handler, "handler");
    this.guard = requireNonNull(guard, "guard");
    this.consumer = requireNonNull(consumer, "consumer");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Handles a message: records it, calls the handler, and marks it. Skips a processed message, but
   * handles a dead one. If the handler reports poison, the message becomes a dead letter.
   *
   * @param subject the subject of its publication, which has type and version. The handler gets the
   *     current time as that of the event
   * @return never {@link Handled#DUPLICATE} after a call of the handler; {@link Handled#BUSY} if a
   *     consumer is handling it
   * @throws OutboxException with {@link ErrorCode#INVALID_MESSAGE} if the payload is not JSON
   * @throws OutboxStoreException if the database is away; the handler may have been called
   * @throws InterruptedException if the thread is interrupted; the handler may have been called
   */
  public Handled process(MessageId id, EventSubject subject, Payload payload)
      throws InterruptedException {
    Optional<OutboxException> violation = EventRules.payload(payload.json());
    if (violation.isPresent()) {
      throw new OutboxException(ErrorCode.INVALID_MESSAGE, "the body is not JSON", violation.get());
    }
    HandlerPayload event =
        new HandlerPayload(
            id, subject, subject.eventType(), subject.version(), clock.now(), null, null, payload);
    if (!guard.acquire(consumer, id)) {
      return Handled.BUSY;
    }
    try {
      return handle(event);
    } finally {
      guard.release(consumer, id);
    }
  }

  private Handled handle(HandlerPayload event) throws InterruptedException {
    MessageId id = event.messageId();
    try (InboxTransaction transaction = store.begin(consumer)) {
      Insertion insertion =
          transaction
              .messages()
              .insert(InboxMessage.received(id, event.subject().value(), clock.now()));
      if (insertion == Insertion.PROCESSED) {
        return Handled.DUPLICATE;
      }
      transaction.commit();
    }
    HandlerResult result = Calls.result(event, () -> handler.handle(event.eventType(), event));
    try (InboxTransaction transaction = store.begin(consumer)) {
      Handled handled = remember(transaction, event, result);
      transaction.commit();
      return handled;
    }
  }

  private Handled remember(
      InboxTransaction transaction, HandlerPayload event, HandlerResult result) {
    MessageId id = event.messageId();
    if (result instanceof Retry retry) {
      transaction.messages().recordError(id, Reason.of(retry.reason()));
      return Handled.RETRY;
    }
    if (result instanceof Poison poison) {
      InboxMessage message = transaction.message(id).orElseThrow();
      dead(transaction, message, Reason.of(poison.reason()), event.subject());
      return Handled.DEAD;
    }
    transaction.messages().markProcessed(id);
    return result instanceof AlreadyProcessed ? Handled.ALREADY_PROCESSED : Handled.PROCESSED;
  }

  /**
   * Makes a message a dead letter, as if its handler had called it poison: remembers the letter and
   * the reason, and records its event for {@code {context}.dlq.{originalSubject}}, together.
   *
   * @param reason for operators; cut to 1,024 characters
   * @throws OutboxException with {@link ErrorCode#INVALID_SUBJECT} if the inbox has the message
   *     under another subject
   * @throws OutboxStoreException if the database is away
   */
  public RouteOutcome route(MessageId id, String reason, EventSubject originalSubject) {
    if (!guard.acquire(consumer, id)) {
      return RouteOutcome.BUSY;
    }
    try {
      return routeGuarded(id, reason, originalSubject);
    } finally {
      guard.release(consumer, id);
    }
  }

  private RouteOutcome routeGuarded(MessageId id, String reason, EventSubject originalSubject) {
    try (InboxTransaction transaction = store.begin(consumer)) {
      Optional<InboxMessage> message = transaction.message(id);
      if (message.isEmpty()) {
        return RouteOutcome.UNKNOWN;
      }
      requireSubject(message.get(), originalSubject);
      if (message.get().processedAt() != null) {
        return RouteOutcome.PROCESSED;
      }
      if (transaction.deadLetters().find(id).isPresent()) {
        return RouteOutcome.ALREADY_ROUTED;
      }
      dead(transaction, message.get(), Reason.of(reason), originalSubject);
      transaction.commit();
      return RouteOutcome.ROUTED;
    }
  }

  private static void requireSubject(InboxMessage message, EventSubject subject) {
    if (!message.subject().equals(subject.value())) {
      throw new OutboxException(
          ErrorCode.INVALID_SUBJECT,
          "message " + message.messageId() + " came under " + message.subject());
    }
  }

  /** The letter keeps its place in the service, if an earlier one has got there. */
  private void dead(
      InboxTransaction transaction, InboxMessage message, String reason, EventSubject subject) {
    MessageId id = new MessageId(message.messageId());
    Optional<DeadLetter> earlier = transaction.deadLetters().find(id);
    DeadLetter letter =
        new DeadLetter(
            id,
            earlier.map(DeadLetter::msgId).orElse(DeadLetter.NOT_RECEIVED),
            subject,
            reason,
            message.attempts(),
            clock.now(),
            earlier.map(DeadLetter::routedAt).orElse(null));
    transaction.messages().recordError(id, reason);
    transaction.deadLetters().put(letter);
    MessageId unused = transaction.outbox().record(MessageDeadLettered.of(letter, (UUID) null));
  }
}
