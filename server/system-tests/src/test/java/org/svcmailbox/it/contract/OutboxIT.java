package org.svcmailbox.it.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.InboxConsumer;
import org.svcmailbox.outbox.inbox.InboxListener;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.outbox.mailbox.MailboxConsumer;
import org.svcmailbox.outbox.mailbox.MailboxPublisher;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.test.concurrent.Deadline;

/** Events travel from a transaction over the laid-out server to a handler. */
@ContractTest
class OutboxIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration ACK_WAIT = Duration.ofSeconds(30);
  private static final int TRANSACTIONS = 200;
  private static final int ORDERS = 20;
  private static final String POISON = "\"poison\"";

  private final MailboxClient client;
  private final CallTarget target;
  private final TokenSource operator;
  private final String orders = TestTopics.fresh("orders");
  private final String deaths = TestTopics.fresh("deaths");
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
  private final HttpConnections connections = HttpConnections.builder().build();
  private final RecordingHandler handler = new RecordingHandler();
  private JdbcConnectionPool pool;
  private Mailbox<String, String> ordersMailbox;
  private Mailbox<String, String> deathsMailbox;

  OutboxIT(MailboxClient client) {
    this.client = client;
    this.target = client.target();
    this.operator = TokenSource.of(requireNonNull(target.token().get()));
  }

  /** Remembers what it is given, in order. */
  private static final class RecordingHandler implements EventHandler {
    private final Map<String, List<Integer>> ofOrder = new ConcurrentHashMap<>();
    private final Set<MessageId> handled = ConcurrentHashMap.newKeySet();

    @Override
    public HandlerResult handle(String eventType, HandlerPayload payload) {
      if (payload.payload().json().equals(POISON)) {
        return new Poison("no such order");
      }
      String[] parts = payload.payload().json().replace("\"", "").split(" ", -1);
      if (handled.add(payload.messageId())) {
        ofOrder
            .computeIfAbsent(parts[0], order -> Collections.synchronizedList(new ArrayList<>()))
            .add(Integer.parseInt(parts[1]));
      }
      return new Processed();
    }
  }

  @BeforeEach
  void open() throws Exception {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + orders + ";DB_CLOSE_DELAY=-1", "sa", "");
    OutboxSchema.migrate(pool);
    for (String topic : List.of(orders, deaths)) {
      int status = client.putTopic(topic, Fields.of("max_attempts", 20)).status();
      assertTrue(status == 200 || status == 201, "status " + status);
    }
    ordersMailbox = mailbox(orders);
    deathsMailbox = mailbox(deaths);
  }

  @AfterEach
  void close() throws Exception {
    ordersMailbox.close();
    deathsMailbox.close();
    threads.shutdownNow();
    scheduler.shutdownNow();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    pool.dispose();
  }

  private Mailbox<String, String> mailbox(String topic) {
    return HttpMailbox.builder(target.server(), operator, topic, Codecs.utf8(), Codecs.utf8())
        .connections(connections)
        .sendTimeout(Duration.ofSeconds(5))
        .build();
  }

  private OutboxPublisher publisher(JdbcOutboxStore store) {
    EventPublisher toOrders = new MailboxPublisher(ordersMailbox);
    EventPublisher toDeaths = new MailboxPublisher(deathsMailbox);
    return OutboxPublisher.builder(
            store,
            PublisherSettings.of("shop"),
            subject -> List.of(subject.isDeadLetter() ? "deaths" : "orders"),
            topic -> topic.equals("deaths") ? toDeaths : toOrders)
        .build();
  }

  private InboxConsumer consumer(MailboxConsumer topic) {
    InboxSettings settings = new InboxSettings("shop", "orders", ACK_WAIT, 20, 50);
    MailboxClock clock = MailboxClock.system();
    InboxProcessor processor =
        new InboxProcessor(
            new JdbcInboxStore(pool), topic, handler, new LocalGuard(), settings, clock);
    return new InboxConsumer(topic, processor, settings, threads, InboxListener.NONE, clock);
  }

  /** One transaction; some are rolled back. Returns the event if it is committed. */
  private MessageId record(String order, String json, boolean commits) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      MessageId id = JdbcOutbox.of(connection).record(NewEvent.of("order", order, "placed", json));
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return id;
    }
  }

  @Test
  void whatIsCommittedIsHandledInOrderAndWhatIsNotIsNeverSeen() throws Exception {
    try (HttpService service =
            HttpService.builder(target.server(), operator).connections(connections).build();
        JdbcOutboxStore store = new JdbcOutboxStore(pool);
        MailboxConsumer topic = new MailboxConsumer(service, orders, ACK_WAIT, scheduler);
        OutboxPublisher publisher = publisher(store);
        InboxConsumer consumer = consumer(topic)) {
      threads.execute(publisher);
      threads.execute(consumer);
      Set<MessageId> committed = recordOrders();
      MessageId poisoned = record("poisoned", POISON, true);
      Deadline.in(PATIENCE)
          .await(() -> handler.handled.size() == committed.size(), () -> "all events");
      assertEquals(committed, handler.handled);
      assertEquals(ORDERS, handler.ofOrder.size());
      handler.ofOrder.values().forEach(OutboxIT::assertAscends);
      assertDead(poisoned);
    }
    Deadline.in(PATIENCE)
        .await(() -> client.topic(orders).json().path("inflight").asInt(-1) == 0, () -> "rest");
  }

  private Set<MessageId> recordOrders() throws SQLException {
    Set<MessageId> committed = new HashSet<>();
    for (int number = 0; number < TRANSACTIONS; number++) {
      String order = Integer.toString(number % ORDERS);
      boolean commits = number % 7 != 3;
      MessageId id = record(order, "\"" + order + " " + number + "\"", commits);
      if (commits) {
        committed.add(id);
      }
    }
    return committed;
  }

  private static void assertAscends(List<Integer> numbers) {
    assertEquals(numbers.stream().sorted().toList(), numbers);
  }

  /** In the dead letters of the service with the reason, and told to who subscribes to that. */
  private void assertDead(MessageId id) throws IOException {
    String path = "/v1/dlq/" + orders;
    Deadline.in(PATIENCE)
        .await(() -> client.get(path).json().path("letters").size() == 1, () -> "the dead letter");
    JsonNode letter = client.get(path).json().path("letters").get(0);
    assertEquals("rejected", letter.path("reason").asText());
    assertEquals("no such order", letter.path("last_error").asText());
    var told = deathsMailbox.receive(10, ACK_WAIT, Duration.ofSeconds(20));
    assertEquals(1, told.size());
    assertEquals("shop.dlq.shop.event.placed.v1", told.get(0).attributes().get("subject"));
    assertTrue(told.get(0).body().contains(id.toString()), told.get(0).body());
    told.get(0).acknowledge();
  }
}
