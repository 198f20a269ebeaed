package org.svcmailbox.bench.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.FixedRate;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Sender;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.InboxConsumer;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.jdbc.PostgresGuard;
import org.svcmailbox.outbox.mailbox.MailboxConsumer;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;

/**
 * Events at a fixed rate from a transaction through publisher, service and inbox to a handler. A
 * time counts from the call of {@code commit} to the call of the handler.
 */
final class OutboxJourney {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int PER_SECOND = 100;

  private final OutboxDatabase database;
  private final LoadTarget service;
  private final String topic;
  private final EventPublisher publisher;
  private final Map<MessageId, Long> committed = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private List<Long> nanos = new ArrayList<>();
  private CountDownLatch handled = new CountDownLatch(0);

  OutboxJourney(
      OutboxDatabase database, LoadTarget service, String topic, EventPublisher publisher) {
    this.database = database;
    this.service = service;
    this.topic = topic;
    this.publisher = publisher;
  }

  /**
   * Runs the load and returns the nanoseconds of each event.
   *
   * @param first warm-up, whose times do not count
   */
  List<Long> run(Duration first, Duration lasting) throws Exception {
    database.empty();
    ExecutorService threads = Executors.newCachedThreadPool();
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    InboxSettings settings = InboxSettings.of(OutboxOrders.CONTEXT, topic);
    MailboxClock clock = MailboxClock.system();
    try (HttpService http =
            HttpService.builder(service.server(), TokenSource.of(service.token())).build();
        JdbcOutboxStore store = new JdbcOutboxStore(database.source());
        PostgresGuard guard = new PostgresGuard(database.source());
        MailboxConsumer messages = new MailboxConsumer(http, topic, settings.ackWait(), scheduler);
        OutboxPublisher outbox =
            OutboxPublisher.builder(
                    store,
                    PublisherSettings.of(OutboxOrders.CONTEXT),
                    subject -> List.of(topic),
                    name -> publisher)
                .build();
        InboxConsumer inbox =
            new InboxConsumer(
                messages,
                new InboxProcessor(
                    new JdbcInboxStore(database.source()),
                    messages,
                    this::handle,
                    guard,
                    settings,
                    clock),
                settings,
                threads,
                InboxListener.NONE,
                clock)) {
      threads.execute(outbox);
      threads.execute(inbox);
      travel(first);
      return travel(lasting);
    } finally {
      threads.shutdown();
      scheduler.shutdown();
    }
  }

  private List<Long> travel(Duration lasting) throws InterruptedException {
    List<Long> taken = new ArrayList<>();
    synchronized (this) {
      nanos = taken;
      handled = new CountDownLatch(Math.toIntExact(PER_SECOND * lasting.toSeconds()));
    }
    FixedRate.run(number -> new Writer(), Load.atRate(PER_SECOND), lasting);
    if (!handled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(handled.getCount() + " events were not handled");
    }
    synchronized (this) {
      return List.copyOf(taken);
    }
  }

  private synchronized HandlerResult handle(String type, HandlerPayload event) {
    long now = System.nanoTime();
    Long then = committed.remove(event.messageId());
    if (then != null) {
      nanos.add(now - then);
      handled.countDown();
    }
    return new HandlerResult.Processed();
  }

  /** A thread of the application, which records events. */
  private final class Writer implements Sender {
    @Override
    public void send(int messages) throws SQLException {
      NewEvent event = OutboxOrders.event(next.incrementAndGet());
      try (Connection connection = database.source().getConnection()) {
        connection.setAutoCommit(false);
        JdbcOutbox.of(connection).record(event);
        committed.put(event.id(), System.nanoTime());
        connection.commit();
      }
    }

    @Override
    public void close() {}
  }
}
