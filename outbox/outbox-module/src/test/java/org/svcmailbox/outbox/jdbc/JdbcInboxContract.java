package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.InboxAdmin;
import org.svcmailbox.outbox.admin.InboxAdmin.Listed;
import org.svcmailbox.outbox.admin.InboxAdmin.State;
import org.svcmailbox.outbox.admin.InboxBacklog;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.Delivery;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.EventMessages;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.inbox.InboxCommands;
import org.svcmailbox.outbox.inbox.InboxCommandsContract;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.MessageProcessor;
import org.svcmailbox.outbox.inbox.RouteOutcome;
import org.svcmailbox.outbox.inbox.ScriptedConsumer;
import org.svcmailbox.outbox.inbox.TransactionalHandler;
import org.svcmailbox.outbox.inbox.TransactionalProcessor;
import org.svcmailbox.test.concurrent.OwnThread;

abstract class JdbcInboxContract extends InboxCommandsContract {
  /** A database. */
  protected abstract DataSource source() throws Exception;

  /** The consumer that the database knows first: this one, or another. */
  protected String firstConsumer() {
    return CONSUMER;
  }

  @BeforeEach
  void createTheTables() throws Exception {
    Migrated.once(getClass(), source());
    store().begin(firstConsumer()).close();
  }

  @Override
  protected InboxStore store() throws Exception {
    return new JdbcInboxStore(source(), clock);
  }

  private interface Reader<T> {
    T read(Database database, ResultSet row) throws SQLException;
  }

  private <T> Optional<T> find(String sql, MessageId id, Reader<T> reader) throws Exception {
    try (Connection connection = source().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      Database database = Database.of(connection);
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(reader.read(database, row)) : Optional.empty();
      }
    }
  }

  @Override
  protected Optional<InboxMessage> find(MessageId id) throws Exception {
    return find(
        "SELECT "
            + MessageRow.COLUMNS
            + " FROM inbox_all m WHERE m.message_id = ? AND m.consumer = '"
            + CONSUMER
            + "'",
        id,
        MessageRow::read);
  }

  @Override
  protected boolean isRecorded(MessageId id) throws Exception {
    return find("SELECT id FROM outbox_events WHERE id = ?", id, (database, row) -> true)
        .isPresent();
  }

  @Override
  protected int countFollowing(MessageId cause) throws Exception {
    String sql = "SELECT COUNT(*) FROM outbox_events WHERE causation_id = ?";
    return find(sql, cause, (database, row) -> row.getInt(1)).orElseThrow();
  }

  private void receive(MessageId id) throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
      transaction.commit();
    }
  }

  @Test
  void processedMessagesArePurgedWhenTheyAreOldAndOthersAreNot() throws Exception {
    MessageId processed = MessageId.next();
    MessageId dead = MessageId.next();
    MessageId open = MessageId.next();
    for (MessageId id : List.of(processed, dead, open)) {
      receive(id);
    }
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().markProcessed(processed);
      transaction
          .deadLetters()
          .put(
              new DeadLetter(
                  dead, "m", EventSubject.of("shop", "paid", 1), "no", 1, clock.now(), null));
      transaction.commit();
    }
    JdbcPurge purge = new JdbcPurge(source(), clock::now);
    clock.advance(Duration.ofDays(30).plusNanos(1_000));
    while (purge.inbox(Duration.ofDays(30)) + purge.deadLetters(Duration.ofDays(30)) > 0) {}
    assertEquals(Optional.empty(), find(processed));
    assertEquals(Optional.empty(), find(dead));
    assertTrue(find(open).isPresent());
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertEquals(Optional.empty(), transaction.deadLetters().find(dead));
    }
  }

  private InboxBacklog backlog(String consumer) throws Exception {
    return new JdbcBacklogs(source())
        .inboxes().stream()
            .filter(one -> one.consumer().equals(consumer))
            .findFirst()
            .orElse(new InboxBacklog(consumer, Backlog.EMPTY, Backlog.EMPTY));
  }

  @Test
  void theBacklogOfAConsumerIsWhatWaitsAndDeadMessagesDoNot() throws Exception {
    String fresh = "c" + MessageId.next();
    long before = new JdbcBacklogs(source()).inbox().count();
    long deadBefore = new JdbcBacklogs(source()).dead().count();
    Instant first = clock.now();
    MessageId dead = MessageId.next();
    MessageId open = MessageId.next();
    MessageId done = MessageId.next();
    try (InboxTransaction transaction = store().begin(fresh)) {
      for (MessageId id : List.of(dead, open, done)) {
        transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
        clock.advance(Duration.ofSeconds(1));
      }
      transaction.messages().markProcessed(done);
      transaction.commit();
    }
    Backlog two = new Backlog(2, first);
    assertEquals(new InboxBacklog(fresh, two, Backlog.EMPTY), backlog(fresh));
    assertEquals(before + 2, new JdbcBacklogs(source()).inbox().count());
    Instant died = clock.now();
    try (InboxTransaction transaction = store().begin(fresh)) {
      transaction
          .deadLetters()
          .put(new DeadLetter(dead, "m", EventMessages.PAID, "no", 1, died, null));
      transaction.commit();
    }
    assertEquals(
        new InboxBacklog(fresh, new Backlog(1, first.plusSeconds(1)), new Backlog(1, died)),
        backlog(fresh));
    assertEquals(before + 1, new JdbcBacklogs(source()).inbox().count());
    assertEquals(deadBefore + 1, new JdbcBacklogs(source()).dead().count());
    try (InboxTransaction transaction = store().begin(fresh)) {
      transaction.messages().markProcessed(dead);
      transaction.messages().markProcessed(open);
      transaction.commit();
    }
    assertEquals(new InboxBacklog(fresh, Backlog.EMPTY, Backlog.EMPTY), backlog(fresh));
  }

  @Test
  void theMessagesOfAllConsumersArePurgedWithABound() throws Exception {
    MessageId id = MessageId.next();
    for (String consumer : List.of(CONSUMER, "billing", "audit")) {
      try (InboxTransaction transaction = store().begin(consumer)) {
        transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
        transaction.messages().markProcessed(id);
        for (int i = 1; i < JdbcPurge.MAX_ROWS / 2; i++) {
          MessageId more = MessageId.next();
          transaction
              .messages()
              .insert(InboxMessage.received(more, "shop.event.paid.v1", clock.now()));
          transaction.messages().markProcessed(more);
        }
        transaction.commit();
      }
    }
    assertEquals(3, new JdbcInboxAdmin(source()).find(id).size());
    JdbcPurge purge = new JdbcPurge(source(), clock::now);
    clock.advance(Duration.ofDays(30).plusNanos(1_000));
    int deleted = purge.inbox(Duration.ofDays(30));
    assertEquals(JdbcPurge.MAX_ROWS, deleted);
    while (purge.inbox(Duration.ofDays(30)) == JdbcPurge.MAX_ROWS) {}
    assertEquals(List.of(), new JdbcInboxAdmin(source()).find(id));
  }

  @Test
  void messagesAreListedByConsumer() throws Exception {
    MessageId id = MessageId.next();
    for (String consumer : List.of("billing", CONSUMER)) {
      try (InboxTransaction transaction = store().begin(consumer)) {
        transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
        transaction.messages().recordError(id, "away from " + id);
        transaction.commit();
      }
    }
    InboxAdmin admin = new JdbcInboxAdmin(source(), clock::now);
    Optional<String> error = Optional.of(id.toString());
    assertEquals(
        List.of(Optional.of("billing"), Optional.of(CONSUMER)),
        admin.find(id).stream().map(Listed::consumer).toList());
    assertEquals(
        List.of(Optional.of("billing")),
        admin
            .list(
                new InboxAdmin.Filter(
                    State.UNPROCESSED, error, Duration.ZERO, Optional.of("billing")))
            .stream()
            .map(Listed::consumer)
            .toList());
    assertEquals(
        2,
        admin
            .list(new InboxAdmin.Filter(State.UNPROCESSED, error, Duration.ZERO, Optional.empty()))
            .size());
  }

  private List<Listed> listed(State state, String error, Duration age) throws Exception {
    return new JdbcInboxAdmin(source(), clock::now)
        .list(new InboxAdmin.Filter(state, Optional.of(error), age, Optional.of(CONSUMER)));
  }

  @Test
  void messagesAreListedByTheirStateErrorAndAge() throws Exception {
    MessageId open = MessageId.next();
    MessageId dead = MessageId.next();
    MessageId processed = MessageId.next();
    String mark = "Away from " + open;
    for (MessageId id : List.of(open, dead, processed)) {
      receive(id);
      clock.advance(Duration.ofSeconds(1));
    }
    DeadLetter letter =
        new DeadLetter(dead, "m", EventSubject.of("shop", "paid", 1), "no", 7, clock.now(), null);
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      for (MessageId id : List.of(open, dead, processed)) {
        transaction.messages().recordError(id, mark);
      }
      transaction.messages().markProcessed(processed);
      transaction.deadLetters().put(letter);
      transaction.commit();
    }
    Listed one = new Listed(Optional.of(CONSUMER), find(open).orElseThrow(), Optional.empty());
    Listed two = new Listed(Optional.of(CONSUMER), find(dead).orElseThrow(), Optional.of(letter));
    Listed three =
        new Listed(Optional.of(CONSUMER), find(processed).orElseThrow(), Optional.empty());
    String words = mark.toUpperCase(Locale.ROOT);
    assertEquals(List.of(one, two), listed(State.UNPROCESSED, words, Duration.ZERO));
    assertEquals(List.of(two), listed(State.DEAD, words, Duration.ZERO));
    assertEquals(List.of(one, two, three), listed(State.ANY, words, Duration.ZERO));
    assertEquals(List.of(one), listed(State.ANY, words, Duration.ofSeconds(3)));
    assertEquals(List.of(), listed(State.ANY, mark + "?", Duration.ZERO));
  }

  @Test
  void listsOfMessagesHaveABound() throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      for (int i = 0; i <= InboxAdmin.MAX_MESSAGES; i++) {
        transaction
            .messages()
            .insert(InboxMessage.received(MessageId.next(), "shop.event.paid.v1", clock.now()));
      }
      transaction.commit();
    }
    assertEquals(
        InboxAdmin.MAX_MESSAGES,
        new JdbcInboxAdmin(source(), clock::now).list(InboxAdmin.Filter.UNPROCESSED).size());
  }

  private final ScriptedConsumer topic = new ScriptedConsumer();

  private MessageProcessor processor(TransactionalHandler handler) throws Exception {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS effects (id VARCHAR(36))");
    }
    return new TransactionalProcessor(
        store(), topic, handler, InboxSettings.of("shipping", "orders"), clock);
  }

  private static Delivery delivery(MessageId id, int attempt) {
    return EventMessages.delivery(id, "m" + attempt, attempt, 0, "{}");
  }

  /** The application's own work in the transaction of the inbox. */
  private static void affect(InboxTransaction transaction, MessageId id) {
    try (PreparedStatement statement =
        transaction
            .unwrap(Connection.class)
            .prepareStatement("INSERT INTO effects (id) VALUES (?)")) {
      statement.setString(1, id.toString());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int effects(MessageId id) throws Exception {
    try (Connection connection = source().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT COUNT(*) FROM effects WHERE id = ?")) {
      statement.setString(1, id.toString());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  @Test
  void anEffectInTheTransactionHappensOnce() throws Exception {
    MessageId id = MessageId.next();
    MessageProcessor processor =
        processor(
            (transaction, type, payload) -> {
              affect(transaction, id);
              return new Processed();
            });
    assertEquals(Handled.PROCESSED, processor.process(delivery(id, 1)));
    assertEquals(Handled.DUPLICATE, processor.process(delivery(id, 2)));
    assertEquals(1, effects(id));
    assertEquals(1, find(id).orElseThrow().attempts());
    assertEquals(List.of("m1", "m2"), topic.acknowledged());
  }

  @Test
  void anEffectInTheTransactionHappensOnceForEachConsumer() throws Exception {
    MessageId id = MessageId.next();
    TransactionalHandler handler =
        (transaction, type, payload) -> {
          affect(transaction, id);
          return new Processed();
        };
    MessageProcessor billing =
        new TransactionalProcessor(
            store(), topic, handler, InboxSettings.of("shipping", "billing"), clock);
    for (MessageProcessor processor : List.of(processor(handler), billing)) {
      assertEquals(Handled.PROCESSED, processor.process(delivery(id, 1)));
      assertEquals(Handled.DUPLICATE, processor.process(delivery(id, 2)));
    }
    assertEquals(2, effects(id));
  }

  @Test
  void theEffectOfAHandlerThatFailsIsUndone() throws Exception {
    MessageId id = MessageId.next();
    List<HandlerResult> results =
        new ArrayList<>(List.of(new Retry("away", null), new Processed()));
    MessageProcessor processor =
        processor(
            (transaction, type, payload) -> {
              affect(transaction, id);
              return results.remove(0);
            });
    assertEquals(Handled.RETRY, processor.process(delivery(id, 1)));
    assertEquals(0, effects(id));
    assertEquals("away", find(id).orElseThrow().lastError());
    assertEquals(Handled.PROCESSED, processor.process(delivery(id, 2)));
    assertEquals(1, effects(id));
    assertEquals(2, find(id).orElseThrow().attempts());
  }

  @Test
  void theEffectOfPoisonIsUndoneAndTheLetterIsNot() throws Exception {
    MessageId id = MessageId.next();
    MessageProcessor processor =
        processor(
            (transaction, type, payload) -> {
              affect(transaction, id);
              return new Poison("no such order");
            });
    assertEquals(Handled.DEAD, processor.process(delivery(id, 1)));
    assertEquals(0, effects(id));
    assertTrue(topic.refused().get(0).deadLetter());
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertEquals(clock.now(), transaction.deadLetters().find(id).orElseThrow().routedAt());
    }
  }

  @Test
  void aMessageThatIsNoEventIsRememberedBesideATransactionalHandlerToo() throws Exception {
    MessageId id = MessageId.next();
    MessageProcessor processor =
        processor(
            (transaction, type, payload) -> {
              throw new AssertionError("no event");
            });
    assertEquals(Handled.DEAD, processor.process(EventMessages.delivery(id, "m", 1, 0, "{")));
    assertEquals("INVALID_MESSAGE: the body is not JSON", find(id).orElseThrow().lastError());
    assertEquals(1, countFollowing(id));
  }

  @Test
  void aMessageThatIsDeadByCommandKeepsThePlaceItGetsInTheService() throws Exception {
    MessageId id = MessageId.next();
    receive(id);
    EventHandler unused = (type, payload) -> new Processed();
    InboxCommands commands = new InboxCommands(store(), unused, new LocalGuard(), CONSUMER, clock);
    EventSubject subject = EventSubject.of("shop", "paid", 1);
    assertEquals(RouteOutcome.ROUTED, commands.route(id, "given up", subject));
    MessageProcessor processor = processor((transaction, type, payload) -> new Processed());
    assertEquals(Handled.DEAD, processor.process(delivery(id, 1)));
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertEquals("m1", transaction.deadLetters().find(id).orElseThrow().msgId());
    }
    assertEquals(Handled.PROCESSED, processor.process(delivery(id, 1)));
  }

  @Test
  void copiesThatMeetHaveOneEffect() throws Exception {
    MessageId id = MessageId.next();
    MessageProcessor processor =
        processor(
            (transaction, type, payload) -> {
              affect(transaction, id);
              return new Processed();
            });
    List<CompletableFuture<Handled>> copies = new ArrayList<>();
    for (int copy = 1; copy <= 4; copy++) {
      Delivery delivery = delivery(id, copy);
      copies.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return processor.process(delivery);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              },
              OwnThread.EXECUTOR));
    }
    List<Handled> handled = copies.stream().map(CompletableFuture::join).toList();
    assertEquals(1, effects(id));
    assertEquals(1, handled.stream().filter(Handled.PROCESSED::equals).count(), handled::toString);
  }
}
