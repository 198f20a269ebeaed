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
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/**
 * Takes one message through the inbox.
 *
 * <ol>
 *   <li>Keep other copies of it away.
 *   <li>Remember it and the attempt; commit. A processed message is acknowledged here.
 *   <li>Call the handler.
 *   <li>Remember the result; commit.
 *   <li>Acknowledge the message, give it back, or make it a dead letter.
 * </ol>
 *
 * <p>A crash before step 4 has the handler called again. A crash after it does not. Thread-safe.
 */
public final class InboxProcessor {
  /** An attribute of the copies that operators make of dead letters. */
  private static final String RESENT = "mailbox.resent_from";

  /** How long a dead letter that the service may not have is only routed when it comes. */
  private static final Duration ROUTING = Duration.ofMinutes(5);

  private static final Logger LOG = System.getLogger(InboxProcessor.class.getName());

  private final InboxStore store;
  private final EventConsumer consumer;
  private final EventHandler handler;
  private final MessageGuard guard;
  private final InboxSettings settings;
  private final MailboxClock clock;

  private enum Step {
    HANDLE,
    ACKNOWLEDGE,
    ROUTE
  }

  public InboxProcessor(
      InboxStore store,
      EventConsumer consumer,
      EventHandler handler,
      MessageGuard guard,
      InboxSettings settings,
      MailboxClock clock) {
    this.store = requireNonNull(store, "store");
    this.consumer = requireNonNull(consumer, "consumer");
    this.handler = requireNonNull(handler, "handler");
    this.guard = requireNonNull(guard, "guard");
    this.settings = requireNonNull(settings, "settings");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Handles and settles a message.
   *
   * @throws ConsumerException if it is handled but not settled; it comes again
   * @throws InterruptedException if the thread is interrupted; the message comes again
   */
  public Handled process(Delivery delivery) throws InterruptedException {
    HandlerPayload event;
    try {
      event = ReceivedEvent.of(delivery);
    } catch (OutboxException e) {
      LOG.log(Level.WARNING, "Message {0} is no event: {1}", delivery.msgId(), e.getMessage());
      consumer.nak(Refused.dead(delivery, String.valueOf(e.getMessage())));
      return Handled.DEAD;
    }
    return process(delivery, event);
  }

  private Handled process(Delivery delivery, HandlerPayload event) throws InterruptedException {
    MessageId id = event.messageId();
    if (!guard.acquire(id)) {
      consumer.nak(Refused.retry(delivery, "another copy is being handled", settings.ackWait()));
      return Handled.BUSY;
    }
    try {
      return handle(delivery, event);
    } catch (OutboxStoreException | OutboxException e) {
      LOG.log(Level.WARNING, "The inbox failed at message " + id, e);
      consumer.nak(Refused.retry(delivery, String.valueOf(e.getMessage())));
      return Handled.RETRY;
    } finally {
      guard.release(id);
    }
  }

  private Handled handle(Delivery delivery, HandlerPayload event) throws InterruptedException {
    switch (receive(delivery, event)) {
      case ACKNOWLEDGE -> {
        consumer.ack(delivery);
        return Handled.DUPLICATE;
      }
      case ROUTE -> {
        route(delivery, event.messageId(), "rejected before; the service did not have it yet");
        return Handled.DEAD;
      }
      case HANDLE -> {
        return settle(delivery, event, call(event));
      }
    }
    throw new AssertionError("every step returns");
  }

  /** Step 2. */
  private Step receive(Delivery delivery, HandlerPayload event) {
    try (InboxTransaction transaction = store.begin()) {
      Optional<DeadLetter> letter = transaction.deadLetters().find(event.messageId());
      if (letter.isPresent()) {
        Step step = stepOf(letter.get(), delivery);
        if (step != Step.HANDLE) {
          return step;
        }
      }
      Insertion insertion =
          transaction
              .messages()
              .insert(
                  InboxMessage.received(event.messageId(), event.subject().value(), clock.now()));
      transaction.commit();
      return insertion == Insertion.PROCESSED ? Step.ACKNOWLEDGE : Step.HANDLE;
    }
  }

  /** A dead letter comes again because the service does not have it yet, or an operator sent it. */
  private Step stepOf(DeadLetter letter, Delivery delivery) {
    if (!letter.msgId().equals(delivery.msgId())) {
      return delivery.attributes().containsKey(RESENT) ? Step.HANDLE : Step.ACKNOWLEDGE;
    }
    boolean isRecent = letter.deadAt().plus(ROUTING).isAfter(clock.now());
    return letter.routedAt() == null && isRecent ? Step.ROUTE : Step.HANDLE;
  }

  /** Step 3. */
  private HandlerResult call(HandlerPayload event) throws InterruptedException {
    try {
      return handler.handle(event.eventType(), event);
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The handler failed at message "
              + event.messageId()
              + " (correlation "
              + event.correlationId()
              + ", causation "
              + event.causationId()
              + ")",
          e);
      return new Retry(e.toString(), null);
    }
  }

  /** Steps 4 and 5. */
  private Handled settle(Delivery delivery, HandlerPayload event, HandlerResult result) {
    MessageId id = event.messageId();
    if (result instanceof Poison poison) {
      String reason = Reason.of(poison.reason());
      remember(event, reason, letter(delivery, event, reason, null));
      route(delivery, id, reason);
      return Handled.DEAD;
    }
    if (result instanceof Retry retry) {
      String reason = Reason.of(retry.reason());
      remember(event, reason, lastLetter(delivery, event, reason));
      consumer.nak(Refused.retry(delivery, reason, retry.delay()));
      return Handled.RETRY;
    }
    try (InboxTransaction transaction = store.begin()) {
      transaction.messages().markProcessed(id);
      transaction.commit();
    }
    consumer.ack(delivery);
    return result instanceof AlreadyProcessed ? Handled.ALREADY_PROCESSED : Handled.PROCESSED;
  }

  /** After its last delivery, the service makes a message a dead letter by itself. */
  private @Nullable DeadLetter lastLetter(Delivery delivery, HandlerPayload event, String reason) {
    return delivery.attempt() < settings.maxDeliver()
        ? null
        : letter(delivery, event, reason, clock.now());
  }

  private DeadLetter letter(
      Delivery delivery, HandlerPayload event, String reason, @Nullable Instant routedAt) {
    return new DeadLetter(
        event.messageId(),
        delivery.msgId(),
        event.subject(),
        reason,
        delivery.attempt(),
        clock.now(),
        routedAt);
  }

  private void remember(HandlerPayload event, String reason, @Nullable DeadLetter letter) {
    try (InboxTransaction transaction = store.begin()) {
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
    try (InboxTransaction transaction = store.begin()) {
      transaction.deadLetters().routed(id);
      transaction.commit();
    } catch (OutboxStoreException e) {
      LOG.log(Level.DEBUG, "Dead letter " + id + " is routed, and its row does not say so", e);
    }
  }
}
