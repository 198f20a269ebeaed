package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Reason;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** Remembers messages, and settles them after their handlers. */
final class Settlement {
  /** An attribute of the copies that operators make of dead letters. */
  private static final String RESENT = "mailbox.resent_from";

  /** For how long a dead letter is only routed on its arrival if the service may not have it. */
  private static final Duration ROUTING = Duration.ofMinutes(5);

  /** The attempts of a message that is no event. Another one of its id is no copy of it. */
  private static final int NEVER_HANDLED = 0;

  private static final Logger LOG = System.getLogger(InboxProcessor.class.getName());

  private final InboxStore store;
  private final EventConsumer consumer;
  private final InboxSettings settings;
  private final MailboxClock clock;

  /** The way on for a message that was received. */
  enum Step {
    HANDLE,
    ACKNOWLEDGE,
    ROUTE
  }

  Settlement(InboxStore store, EventConsumer consumer, InboxSettings settings, MailboxClock clock) {
    this.store = requireNonNull(store, "store");
    this.consumer = requireNonNull(consumer, "consumer");
    this.settings = requireNonNull(settings, "settings");
    this.clock = requireNonNull(clock, "clock");
  }

  /** Handles an event. */
  @FunctionalInterface
  interface Processing {
    Handled process(Delivery delivery, HandlerPayload event) throws InterruptedException;
  }

  /**
   * Has the event of a message handled. A message without one becomes a dead letter, and a message
   * that the inbox fails to record is delivered again.
   */
  Handled process(Delivery delivery, Processing processing) throws InterruptedException {
    try {
      return processed(delivery, processing);
    } catch (OutboxStoreException | OutboxException e) {
      LOG.log(Level.WARNING, "The inbox failed at message " + delivery.ids(), e);
      consumer.nak(Refused.retry(delivery, String.valueOf(e.getMessage())));
      return Handled.RETRY;
    }
  }

  private Handled processed(Delivery delivery, Processing processing) throws InterruptedException {
    HandlerPayload event;
    try {
      event = ReceivedEvent.of(delivery);
    } catch (OutboxException e) {
      LOG.log(Level.WARNING, "Message {0} is no event: {1}", delivery.ids(), e.getMessage());
      return invalid(delivery, Reason.of(String.valueOf(e.getMessage())));
    }
    return processing.process(delivery, event);
  }

  private Handled invalid(Delivery delivery, String reason) {
    HandlerPayload event;
    Step step;
    try (InboxTransaction transaction = begin()) {
      event = InvalidMessage.of(transaction, delivery, settings.context());
      step = receive(transaction, delivery, event);
      transaction.commit();
    }
    if (step != Step.HANDLE) {
      return pass(step, delivery, event.messageId());
    }
    remember(event, reason, letter(delivery, event, reason, NEVER_HANDLED, null));
    route(delivery, event.messageId(), reason);
    return Handled.DEAD;
  }

  InboxTransaction begin() {
    return store.begin(settings.consumer());
  }

  EventConsumer consumer() {
    return consumer;
  }

  InboxSettings settings() {
    return settings;
  }

  /**
   * Remembers a message in a transaction, without a commit.
   *
   * @throws ConsumerException if the message is no longer held: another consumer may have made it a
   *     dead letter, which would look like one that an operator sent back
   */
  Step receive(InboxTransaction transaction, Delivery delivery, HandlerPayload event) {
    if (!consumer.holds(delivery)) {
      throw new ConsumerException("its lease ran out before its turn");
    }
    Optional<DeadLetter> letter = transaction.deadLetters().find(event.messageId());
    Step step = letter.map(known -> stepOf(transaction, known, delivery)).orElse(Step.HANDLE);
    if (step != Step.HANDLE) {
      return step;
    }
    Insertion insertion =
        transaction
            .messages()
            .insert(InboxMessage.received(event.messageId(), event.subject().value(), clock.now()));
    return insertion == Insertion.PROCESSED ? Step.ACKNOWLEDGE : Step.HANDLE;
  }

  /**
   * A dead letter is delivered again because the service does not have it yet, or an operator sent
   * it.
   */
  private Step stepOf(InboxTransaction transaction, DeadLetter letter, Delivery delivery) {
    if (letter.isNotReceived() && !delivery.attributes().containsKey(RESENT)) {
      return stepOfNotReceived(transaction, letter, delivery);
    }
    if (!letter.msgId().equals(delivery.msgId())) {
      if (letter.attempts() == NEVER_HANDLED) {
        return Step.HANDLE;
      }
      return delivery.attributes().containsKey(RESENT) ? Step.HANDLE : Step.ACKNOWLEDGE;
    }
    boolean isRecent = letter.deadAt().plus(ROUTING).isAfter(clock.now());
    return letter.routedAt() == null && isRecent ? Step.ROUTE : Step.HANDLE;
  }

  /** A message that died by a command is given to the service, unless a command handled it too. */
  private Step stepOfNotReceived(
      InboxTransaction transaction, DeadLetter letter, Delivery delivery) {
    if (transaction.message(letter.messageId()).filter(Settlement::isProcessed).isPresent()) {
      return Step.ACKNOWLEDGE;
    }
    transaction.deadLetters().put(letter.receivedAs(delivery.msgId(), clock.now()));
    return Step.ROUTE;
  }

  private static boolean isProcessed(InboxMessage message) {
    return message.processedAt() != null;
  }

  /** Settles a message without handling it. */
  Handled pass(Step step, Delivery delivery, MessageId id) {
    if (step == Step.ACKNOWLEDGE) {
      consumer.ack(delivery);
      return Handled.DUPLICATE;
    }
    route(delivery, id, reason(id));
    return Handled.DEAD;
  }

  private String reason(MessageId id) {
    try (InboxTransaction transaction = begin()) {
      return transaction.deadLetters().find(id).map(DeadLetter::reason).orElse("rejected before");
    }
  }

  /** Makes a message a dead letter. */
  Handled dead(Delivery delivery, HandlerPayload event, Poison poison) {
    String reason = Reason.of(poison.reason());
    LOG.log(Level.WARNING, "Message {0} is poison: {1}", event.ids(), reason);
    remember(event, reason, letter(delivery, event, reason, delivery.attempt(), null));
    route(delivery, event.messageId(), reason);
    return Handled.DEAD;
  }

  /**
   * Returns a message for another delivery. After its last delivery, the service itself makes it a
   * dead letter.
   */
  Handled again(Delivery delivery, HandlerPayload event, Retry retry) {
    String reason = Reason.of(retry.reason());
    boolean isLast = delivery.attempt() >= settings.maxDeliver();
    LOG.log(
        isLast ? Level.WARNING : Level.INFO,
        "Message {0} is not handled at delivery {1}: {2}",
        event.ids(),
        delivery.attempt(),
        reason);
    remember(
        event,
        reason,
        isLast ? letter(delivery, event, reason, delivery.attempt(), clock.now()) : null);
    consumer.nak(Refused.retry(delivery, reason, retry.delay()));
    return Handled.RETRY;
  }

  private DeadLetter letter(
      Delivery delivery,
      HandlerPayload event,
      String reason,
      int attempts,
      @Nullable Instant routedAt) {
    return new DeadLetter(
        event.messageId(),
        delivery.msgId(),
        event.subject(),
        reason,
        attempts,
        clock.now(),
        routedAt);
  }

  private void remember(HandlerPayload event, String reason, @Nullable DeadLetter letter) {
    try (InboxTransaction transaction = begin()) {
      transaction.messages().recordError(event.messageId(), reason);
      if (letter != null) {
        transaction.deadLetters().put(letter);
        MessageId unused = transaction.outbox().record(MessageDeadLettered.of(letter, event));
      }
      transaction.commit();
    }
  }

  /** Gives the message to the dead letters of the service, and remembers that they have it. */
  private void route(Delivery delivery, MessageId id, String reason) {
    consumer.nak(Refused.dead(delivery, reason));
    try (InboxTransaction transaction = begin()) {
      transaction.deadLetters().routed(id);
      transaction.commit();
    } catch (OutboxStoreException e) {
      LOG.log(Level.DEBUG, "Dead letter " + id + " is routed, but its row does not say so", e);
    }
  }
}
