package org.svcmailbox.examples.outbox;

import jakarta.annotation.Resource;
import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorDefinition;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.transaction.UserTransaction;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.flywaydb.core.Flyway;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.inbox.InboxConsumer;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.TransactionalProcessor;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.jdbc.JdbcPurge;
import org.svcmailbox.outbox.jdbc.JtaInboxStore;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.outbox.mailbox.MailboxConsumer;
import org.svcmailbox.outbox.mailbox.MailboxPublisher;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;

/**
 * Publishes what the outbox holds, and has shipping handle it, from the application's start to its
 * end. Both work on threads of the server.
 */
@WebListener
@DataSourceDefinition(
    name = Messaging.DATABASE,
    className = "org.svcmailbox.examples.outbox.OrdersDatabase",
    databaseName = "orders",
    maxPoolSize = 16)
@DataSourceDefinition(
    name = Messaging.PLAIN_DATABASE,
    className = "org.svcmailbox.examples.outbox.OrdersDatabase",
    databaseName = "orders",
    transactional = false,
    maxPoolSize = 8)
@ManagedExecutorDefinition(name = Messaging.THREADS, maxAsync = Messaging.LOOPS + 4)
@ManagedScheduledExecutorDefinition(name = Messaging.SCHEDULER, maxAsync = 2)
public class Messaging implements ServletContextListener {
  /** Its connections take part in the transactions of the server. */
  static final String DATABASE = "java:app/jdbc/orders";

  /** The same database, with connections that take part in none. */
  static final String PLAIN_DATABASE = "java:app/jdbc/orders-plain";

  static final String THREADS = "java:app/concurrent/messaging";
  static final String SCHEDULER = "java:app/concurrent/messaging-scheduler";

  /** The publisher and the consumer, which have a thread each until the end. */
  static final int LOOPS = 2;

  private static final String CONTEXT = "shop";
  private static final String TOPIC = "example.shipping";
  private static final Duration ACK_WAIT = Duration.ofSeconds(30);

  /** As many deliveries as a topic permits by default. */
  private static final InboxSettings INBOX = new InboxSettings("shipping", TOPIC, ACK_WAIT, 5, 20);

  private static final Duration KEEP_PUBLISHED = Duration.ofDays(7);
  private static final Duration KEEP_HANDLED = Duration.ofDays(30);

  @Resource(lookup = DATABASE)
  private DataSource database;

  @Resource(lookup = PLAIN_DATABASE)
  private DataSource plainDatabase;

  @Resource(lookup = THREADS)
  private ManagedExecutorService threads;

  @Resource(lookup = SCHEDULER)
  private ManagedScheduledExecutorService scheduler;

  @Resource private UserTransaction transactions;

  @Inject
  @ConfigProperty(name = "orders.mailbox")
  private URI uri;

  @Inject
  @ConfigProperty(name = "orders.capability")
  private String capability;

  @Inject private Shipping shipping;

  /** Closed at the end, last one first. */
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  @Override
  public void contextInitialized(ServletContextEvent event) {
    Flyway.configure(getClass().getClassLoader()).dataSource(plainDatabase).load().migrate();
    OutboxSchema.migrate(plainDatabase);
    TokenSource token = TokenSource.file(Path.of(capability));
    startConsumer(token);
    startPublisher(token);
    ScheduledFuture<?> purging =
        scheduler.scheduleWithFixedDelay(this::purge, 0, 1, TimeUnit.HOURS);
    started.push(() -> purging.cancel(false));
  }

  private void startPublisher(TokenSource token) {
    Mailbox<String, String> mailbox =
        closing(
            HttpMailbox.builder(uri, token, TOPIC, Codecs.utf8(), Codecs.utf8())
                .sendTimeout(Duration.ofSeconds(5))
                .build());
    MailboxPublisher topic = new MailboxPublisher(mailbox);
    threads.execute(
        closing(
            OutboxPublisher.builder(
                    closing(new JdbcOutboxStore(plainDatabase)),
                    PublisherSettings.of(CONTEXT),
                    Messaging::topics,
                    name -> topic)
                .build()));
  }

  /** All events go to shipping; the news of a dead letter has no subscriber. */
  private static List<String> topics(EventSubject subject) {
    return subject.isDeadLetter() ? List.of() : List.of(TOPIC);
  }

  private void startConsumer(TokenSource token) {
    HttpService service = closing(HttpService.builder(uri, token).build());
    MailboxConsumer topic = closing(new MailboxConsumer(service, TOPIC, ACK_WAIT, scheduler));
    TransactionalProcessor processor =
        new TransactionalProcessor(
            new JtaInboxStore(database, transactions),
            topic,
            (transaction, type, payload) -> shipping.ship(payload),
            INBOX,
            MailboxClock.system());
    threads.execute(
        closing(
            new InboxConsumer(
                topic, processor, INBOX, threads, InboxListener.NONE, MailboxClock.system())));
  }

  private <T extends AutoCloseable> T closing(T one) {
    started.push(one);
    return one;
  }

  private void purge() {
    JdbcPurge purge = new JdbcPurge(plainDatabase);
    purge.outbox(KEEP_PUBLISHED);
    purge.inbox(KEEP_HANDLED);
    purge.deadLetters(KEEP_HANDLED);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        event.getServletContext().log("not closed", e);
      }
    }
  }
}
