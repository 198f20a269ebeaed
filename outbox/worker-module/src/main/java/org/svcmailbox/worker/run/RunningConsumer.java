package org.svcmailbox.worker.run;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.inbox.EventConsumer;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerTimer;
import org.svcmailbox.outbox.inbox.InboxConsumer;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.MessageGuard;
import org.svcmailbox.outbox.inbox.OrderedConsumer;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcReceiverTurn;
import org.svcmailbox.outbox.mailbox.MailboxConsumer;
import org.svcmailbox.outbox.route.SubjectFilter;
import org.svcmailbox.worker.config.ConsumerSettings;

/** One running consumer with the leases that it holds. */
final class RunningConsumer implements Runnable, AutoCloseable {
  private final MailboxConsumer topic;
  private final InboxConsumer consumer;
  private final JdbcReceiverTurn turn;

  /** Resources that all consumers of a worker share. */
  record Shared(
      DataSource source,
      HttpService service,
      MessageGuard guard,
      ScheduledExecutorService leases,
      Executor handlers) {}

  RunningConsumer(
      ConsumerSettings settings, InboxSettings inbox, InboxListener listener, Shared with) {
    MailboxClock clock = MailboxClock.system();
    topic =
        new MailboxConsumer(with.service(), settings.durable(), settings.ackWait(), with.leases());
    turn = new JdbcReceiverTurn(with.source(), settings.durable());
    EventConsumer events = settings.ordered() ? new OrderedConsumer(topic, turn) : topic;
    InboxProcessor processor =
        new InboxProcessor(
            new JdbcInboxStore(with.source()),
            events,
            handler(settings, listener, clock),
            with.guard(),
            inbox,
            clock);
    consumer = new InboxConsumer(events, processor, inbox, with.handlers(), listener, clock);
  }

  /** The handler of a consumer. The listener learns how long its calls take. */
  static EventHandler handler(
      ConsumerSettings settings, InboxListener listener, MailboxClock clock) {
    return filtered(
        settings.filter(), new HandlerTimer(listener, clock).around(settings.eventHandler()));
  }

  /** A topic may contain events from before its filter was narrowed, or events from others. */
  private static EventHandler filtered(SubjectFilter filter, EventHandler handler) {
    return (type, event) ->
        filter.matches(event.subject().value())
            ? handler.handle(type, event)
            : new Poison("the subject is outside filter_subject, " + filter);
  }

  boolean isPaused() {
    return consumer.isPaused();
  }

  @Override
  public void run() {
    consumer.run();
  }

  /** Waits for the handlers, and extends their leases until then. */
  @Override
  public void close() {
    consumer.close();
    topic.close();
    turn.close();
  }
}
