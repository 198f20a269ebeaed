package org.svcmailbox.worker.run;

import java.net.URI;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.http.HttpEventHandler;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.HandlerTimer;
import org.svcmailbox.outbox.inbox.InboxConsumer;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.MessageGuard;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.mailbox.MailboxConsumer;
import org.svcmailbox.worker.config.ConsumerSettings;

/** One consumer with the leases that it holds. */
final class RunningConsumer implements Runnable, AutoCloseable {
  private final MailboxConsumer topic;
  private final InboxConsumer consumer;

  /** Resources that all consumers of a worker share. */
  record Shared(
      DataSource source,
      HttpService service,
      MessageGuard guard,
      ScheduledExecutorService leases,
      Executor handlers,
      InboxListener listener) {}

  RunningConsumer(ConsumerSettings settings, InboxSettings inbox, Shared with) {
    MailboxClock clock = MailboxClock.system();
    topic =
        new MailboxConsumer(with.service(), settings.durable(), settings.ackWait(), with.leases());
    InboxProcessor processor =
        new InboxProcessor(
            new JdbcInboxStore(with.source()),
            topic,
            handler(settings, with.listener(), clock),
            with.guard(),
            inbox,
            clock);
    consumer = new InboxConsumer(topic, processor, inbox, with.handlers(), with.listener(), clock);
  }

  /** The handler of a consumer; the listener hears how long its calls take. */
  static EventHandler handler(
      ConsumerSettings settings, InboxListener listener, MailboxClock clock) {
    URI handler = Objects.requireNonNull(settings.handler(), "settings were checked");
    return new HandlerTimer(listener, clock)
        .around(new HttpEventHandler(handler, settings.handlerTimeout()));
  }

  @Override
  public void run() {
    consumer.run();
  }

  /** Waits for the handlers, whose leases are extended until then. */
  @Override
  public void close() {
    consumer.close();
    topic.close();
  }
}
