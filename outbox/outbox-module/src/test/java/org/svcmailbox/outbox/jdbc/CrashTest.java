package org.svcmailbox.outbox.jdbc;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.inbox.Delivery;
import org.svcmailbox.outbox.inbox.EventConsumer;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.EventMessages;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.Refused;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.OutboxStore;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.outbox.publish.ScriptedTopic;

/** Publisher and consumer end before and after every call of a port; a successor goes on. */
class CrashTest {
  private final VirtualClock clock = new VirtualClock();
  private JdbcConnectionPool pool;

  @BeforeEach
  void open() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:crash;DB_CLOSE_DELAY=-1", "sa", "");
    OutboxSchema.migrate(pool);
  }

  @AfterEach
  void close() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    pool.dispose();
  }

  private void empty() throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (String table :
          List.of(
              "outbox_events",
              "outbox_holds",
              "outbox_accepted",
              "inbox_messages",
              "inbox_first_consumer",
              "inbox_dead_letters")) {
        statement.executeUpdate("DELETE FROM " + table);
      }
    }
  }

  private int count(String what) throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + what)) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void everyCommittedEventIsPublishedInOrderWhereverThePublisherDies() throws Exception {
    int at = 0;
    boolean died = true;
    while (died) {
      at++;
      died = publishWithADeath(at);
    }
    assertTrue(at > 50, () -> "points to die at");
  }

  private List<NewEvent> recordEvents() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int number = 0; number < 9; number++) {
      events.add(NewEvent.of("order", Integer.toString(number % 3), "paid", "1"));
    }
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      events.forEach(JdbcOutbox.of(connection)::record);
      connection.commit();
    }
    return events;
  }

  /** Returns whether the publisher died. */
  private boolean publishWithADeath(int at) throws Exception {
    empty();
    List<NewEvent> events = recordEvents();
    MessageId poisoned = events.get(8).id();
    ScriptedTopic billing = new ScriptedTopic();
    ScriptedTopic shipping = new ScriptedTopic();
    shipping.failWith(
        id -> id.equals(poisoned) ? PublishException.refused(ErrorCode.REFUSED, "no", null) : null);
    Halts halts = new Halts(at);
    publish(halts, billing, shipping);
    publish(new Halts(-1), billing, shipping);
    for (int aggregate = 0; aggregate < 3; aggregate++) {
      assertOrder(events, aggregate, billing.accepted());
    }
    assertEquals(8, shipping.accepted().size());
    assertEquals(8, count("outbox_events WHERE published_at IS NOT NULL"));
    assertEquals(1, count("outbox_holds"));
    return halts.isDead();
  }

  private static void assertOrder(List<NewEvent> events, int aggregate, List<MessageId> accepted) {
    List<MessageId> recorded =
        events.stream()
            .filter(event -> event.aggregateId().equals(Integer.toString(aggregate)))
            .map(NewEvent::id)
            .toList();
    assertEquals(recorded, accepted.stream().filter(recorded::contains).toList());
  }

  private void publish(Halts halts, ScriptedTopic billing, ScriptedTopic shipping)
      throws Exception {
    try (JdbcOutboxStore store = new JdbcOutboxStore(pool, clock)) {
      OutboxPublisher publisher =
          OutboxPublisher.builder(
                  halts.around(OutboxStore.class, store),
                  PublisherSettings.of("shop"),
                  subject -> List.of("billing", "shipping"),
                  topic ->
                      halts.around(
                          EventPublisher.class, topic.equals("billing") ? billing : shipping))
              .clock(clock)
              .build();
      for (int step = 0; step < 20; step++) {
        int unused = publisher.step();
        clock.advance(Duration.ofMillis(500));
      }
    } catch (Halts.HaltError e) {
      assertTrue(halts.isDead());
    }
  }

  @Test
  void everyMessageIsHandledAndPoisonDiesOnceWhereverTheConsumerDies() throws Exception {
    int at = 0;
    boolean died = true;
    while (died) {
      at++;
      died = consumeWithADeath(at);
    }
    assertTrue(at > 30, () -> "points to die at");
  }

  /** The messages of a topic, each until it is acknowledged or dead. */
  private static final class Topic implements EventConsumer {
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Set<String> dead = new HashSet<>();
    private final Set<String> done = new HashSet<>();

    @Override
    public List<Delivery> fetch(int batch) {
      throw new UnsupportedOperationException("the test delivers");
    }

    @Override
    public void ack(Delivery message) {
      done.add(message.msgId());
    }

    @Override
    public void nak(Refused message) {
      if (message.deadLetter()) {
        assertTrue(dead.add(message.delivery().msgId()), "a dead letter twice");
        done.add(message.delivery().msgId());
      }
    }

    Delivery delivery(MessageId id, String body) {
      return EventMessages.delivery(id, body, attempts.merge(body, 1, Integer::sum), 0, body);
    }
  }

  /** Does each event once, and says so when it comes again. */
  private static final class Handler implements EventHandler {
    private final Map<MessageId, Integer> calls = new HashMap<>();

    @Override
    public HandlerResult handle(String eventType, HandlerPayload payload) {
      int call = calls.merge(payload.messageId(), 1, Integer::sum);
      if (payload.payload().json().equals("2")) {
        return new Poison("no such order");
      }
      return call == 1 ? new Processed() : new AlreadyProcessed();
    }
  }

  /** Returns whether the consumer died. */
  private boolean consumeWithADeath(int at) throws Exception {
    empty();
    Map<String, MessageId> ids =
        Map.of("1", MessageId.next(), "2", MessageId.next(), "3", MessageId.next());
    Topic topic = new Topic();
    Handler handler = new Handler();
    Halts halts = new Halts(at);
    consume(halts, topic, handler, ids);
    clock.advance(Duration.ofMinutes(2));
    consume(new Halts(-1), topic, handler, ids);
    assertEquals(ids.keySet(), topic.done);
    assertEquals(Set.of("2"), topic.dead);
    assertEquals(2, count("inbox_messages WHERE processed_at IS NOT NULL"));
    assertEquals(1, count("outbox_events WHERE event_type = 'dlq.shop.event.paid.v1'"));
    assertEquals(1, count("inbox_dead_letters"));
    assertEquals(Set.copyOf(ids.values()), handler.calls.keySet());
    assertTrue(handler.calls.values().stream().allMatch(calls -> calls <= 2));
    return halts.isDead();
  }

  private void consume(Halts halts, Topic topic, Handler handler, Map<String, MessageId> ids)
      throws Exception {
    InboxProcessor processor =
        new InboxProcessor(
            halts.around(InboxStore.class, new JdbcInboxStore(pool, clock)),
            halts.around(EventConsumer.class, topic),
            halts.around(EventHandler.class, handler),
            new LocalGuard(),
            InboxSettings.of("shipping", "orders"),
            clock);
    try {
      for (String body : List.of("1", "2", "3")) {
        if (!topic.done.contains(body)) {
          processor.process(topic.delivery(requireNonNull(ids.get(body)), body));
        }
      }
    } catch (Halts.HaltError e) {
      assertTrue(halts.isDead());
    }
    assertFalse(topic.done.isEmpty() && !halts.isDead());
  }
}
