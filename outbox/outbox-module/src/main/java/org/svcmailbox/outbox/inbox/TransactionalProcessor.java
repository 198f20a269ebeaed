package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.inbox.Settlement.Step;

/**
 * Takes a message through the inbox, with a handler in the same transaction: remember it, handle
 * it, mark it, commit; then acknowledge it. A crash before the commit undoes all of that; after a
 * crash behind it, the next delivery is acknowledged. A copy waits for the row of the first one.
 * Thread-safe.
 */
public final class TransactionalProcessor implements MessageProcessor {
  private final Settlement settlement;
  private final TransactionalHandler handler;

  public TransactionalProcessor(
      InboxStore store,
      EventConsumer consumer,
      TransactionalHandler handler,
      InboxSettings settings,
      MailboxClock clock) {
    settlement = new Settlement(store, consumer, settings, clock);
    this.handler = requireNonNull(handler, "handler");
  }

  @Override
  public Handled process(Delivery delivery) throws InterruptedException {
    return settlement.process(delivery, this::handle);
  }

  private Handled handle(Delivery delivery, HandlerPayload event) throws InterruptedException {
    Step step;
    @Nullable HandlerResult result = null;
    try (InboxTransaction transaction = settlement.begin()) {
      step = settlement.receive(transaction, delivery, event);
      if (step == Step.HANDLE) {
        result = Calls.result(event, () -> handler.handle(transaction, event.eventType(), event));
        if (isDone(result)) {
          transaction.messages().markProcessed(event.messageId());
          transaction.commit();
        }
      } else {
        transaction.commit();
      }
    }
    return result == null
        ? settlement.pass(step, delivery, event.messageId())
        : settle(delivery, event, result);
  }

  private static boolean isDone(HandlerResult result) {
    return !(result instanceof Poison || result instanceof Retry);
  }

  private Handled settle(Delivery delivery, HandlerPayload event, HandlerResult result) {
    if (isDone(result)) {
      settlement.consumer().ack(delivery);
      return result instanceof AlreadyProcessed ? Handled.ALREADY_PROCESSED : Handled.PROCESSED;
    }
    countAttempt(delivery, event);
    return result instanceof Poison poison
        ? settlement.dead(delivery, event, poison)
        : settlement.again(delivery, event, (Retry) result);
  }

  /** The attempt was rolled back with the handler's work. */
  private void countAttempt(Delivery delivery, HandlerPayload event) {
    try (InboxTransaction transaction = settlement.begin()) {
      Step unused = settlement.receive(transaction, delivery, event);
      transaction.commit();
    }
  }
}
