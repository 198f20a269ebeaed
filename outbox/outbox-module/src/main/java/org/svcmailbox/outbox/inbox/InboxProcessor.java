package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.inbox.Settlement.Step;

/**
 * Takes a message through the inbox, with a handler outside the database.
 *
 * <ol>
 *   <li>Lock out other copies of it.
 *   <li>Record it and the attempt; commit. A processed message is acknowledged here.
 *   <li>Call the handler.
 *   <li>Record the result; commit.
 *   <li>Acknowledge the message, give it back, or make it a dead letter.
 * </ol>
 *
 * <p>After a crash before step 4, the handler is called again; after a later crash it is not.
 * Thread-safe.
 */
public final class InboxProcessor implements MessageProcessor {
  private final Settlement settlement;
  private final EventHandler handler;
  private final MessageGuard guard;

  public InboxProcessor(
      InboxStore store,
      EventConsumer consumer,
      EventHandler handler,
      MessageGuard guard,
      InboxSettings settings,
      MailboxClock clock) {
    settlement = new Settlement(store, consumer, settings, clock);
    this.handler = requireNonNull(handler, "handler");
    this.guard = requireNonNull(guard, "guard");
  }

  @Override
  public Handled process(Delivery delivery) throws InterruptedException {
    return settlement.process(delivery, this::guarded);
  }

  private Handled guarded(Delivery delivery, HandlerPayload event) throws InterruptedException {
    MessageId id = event.messageId();
    String consumer = settlement.settings().consumer();
    if (!guard.acquire(consumer, id)) {
      settlement
          .consumer()
          .nak(
              Refused.retry(
                  delivery, "another copy is being handled", settlement.settings().ackWait()));
      return Handled.BUSY;
    }
    try {
      return handle(delivery, event);
    } finally {
      guard.release(consumer, id);
    }
  }

  private Handled handle(Delivery delivery, HandlerPayload event) throws InterruptedException {
    Step step;
    try (InboxTransaction transaction = settlement.begin()) {
      step = settlement.receive(transaction, delivery, event);
      transaction.commit();
    }
    return step == Step.HANDLE
        ? settle(
            delivery, event, Calls.result(event, () -> handler.handle(event.eventType(), event)))
        : settlement.pass(step, delivery, event.messageId());
  }

  private Handled settle(Delivery delivery, HandlerPayload event, HandlerResult result) {
    if (result instanceof Poison poison) {
      return settlement.dead(delivery, event, poison);
    }
    if (result instanceof Retry retry) {
      return settlement.again(delivery, event, retry);
    }
    try (InboxTransaction transaction = settlement.begin()) {
      transaction.messages().markProcessed(event.messageId());
      transaction.commit();
    }
    settlement.consumer().ack(delivery);
    return result instanceof AlreadyProcessed ? Handled.ALREADY_PROCESSED : Handled.PROCESSED;
  }
}
