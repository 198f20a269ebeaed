package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.admin.OutboxAdmin.Filter;
import org.svcmailbox.outbox.admin.OutboxAdmin.Operator;
import org.svcmailbox.outbox.admin.OutboxAdmin.Unpublished;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.EventClaim;
import org.svcmailbox.outbox.publish.Lane;
import org.svcmailbox.outbox.publish.OutboxHistory;
import org.svcmailbox.outbox.publish.OutboxHistory.Past;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.OutboxStore;
import org.svcmailbox.outbox.publish.OutboxStoreContract;
import org.svcmailbox.outbox.publish.OutboxTransaction;
import org.svcmailbox.outbox.publish.Passes;
import org.svcmailbox.outbox.publish.Position;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.PublishOutcome;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.outbox.publish.ScriptedTopic;
import org.svcmailbox.test.concurrent.Deadline;

/** The contract of recording, on every database. */
abstract class JdbcOutboxContract extends OutboxStoreContract {
  private static final List<String> TABLES =
      List.of("outbox_events", "outbox_holds", "outbox_headers", "outbox_accepted", "outbox_audit");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private JdbcOutboxStore store;

  /** An empty database without tables, or the one of the test before. */
  protected abstract DataSource source() throws Exception;

  @BeforeEach
  void openAnEmptyOutbox() throws Exception {
    Migrated.once(getClass(), source());
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.executeUpdate("DELETE FROM " + table);
      }
    }
    store = new JdbcOutboxStore(source(), clock);
  }

  @AfterEach
  void closeTheStore() {
    store.close();
  }

  @Override
  protected OutboxStore store() {
    return store;
  }

  private interface Work {
    void with(Connection connection) throws SQLException;
  }

  private void transaction(Work work) throws Exception {
    try (Connection connection = source().getConnection()) {
      connection.setAutoCommit(false);
      try {
        work.with(connection);
        connection.commit();
      } catch (RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  @Override
  protected void record(List<NewEvent> events) throws Exception {
    transaction(connection -> events.forEach(JdbcOutbox.of(connection)::record));
  }

  @Override
  protected Optional<OutboxEvent> find(MessageId id) throws Exception {
    try (Connection connection = source().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT " + EventRow.COLUMNS + " FROM outbox_events e WHERE e.id = ?")) {
      Database database = Database.of(connection);
      database.setId(statement, 1, id.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(EventRow.read(database, row)) : Optional.empty();
      }
    }
  }

  private static NewEvent event() {
    return NewEvent.of("order", "1", "paid", "{\"a\": [1, \"é\\n\\ud83d\\ude00\"]}");
  }

  @Test
  void anEventIsThereOnceTheTransactionCommits() throws Exception {
    NewEvent event = event();
    transaction(
        connection -> {
          assertEquals(event.id(), JdbcOutbox.of(connection).record(event));
          assertFalse(isThere(event.id()));
        });
    assertTrue(isThere(event.id()));
  }

  private boolean isThere(MessageId id) {
    try {
      return find(id).isPresent();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anEventOfATransactionThatIsRolledBackNeverWas() throws Exception {
    NewEvent event = event();
    assertThrows(
        IllegalStateException.class,
        () ->
            transaction(
                connection -> {
                  JdbcOutbox.of(connection).record(event);
                  throw new IllegalStateException("the application fails");
                }));
    assertFalse(isThere(event.id()));
  }

  @Test
  void aRefusedEventLeavesTheTransactionUsable() throws Exception {
    NewEvent event = event();
    NewEvent future = event().withOccurredAt(Instant.now().plusSeconds(10));
    NewEvent broken = NewEvent.of("order", "1", "paid", "{\"a\": \"\\u0000\"}");
    transaction(
        connection -> {
          JdbcOutbox outbox = JdbcOutbox.of(connection);
          assertEquals(ErrorCode.FUTURE_EVENT, refusal(outbox, future));
          assertEquals(ErrorCode.INVALID_OUTBOX, refusal(outbox, broken));
          outbox.record(event);
        });
    assertTrue(isThere(event.id()));
  }

  private static ErrorCode refusal(JdbcOutbox outbox, NewEvent event) {
    return assertThrows(OutboxException.class, () -> outbox.record(event)).code();
  }

  @Test
  void withAutoCommitNothingIsRecorded() throws Exception {
    NewEvent event = event();
    assertEquals(ErrorCode.NO_TRANSACTION, refusal(JdbcOutbox.of(source()), event));
    assertFalse(isThere(event.id()));
  }

  @Test
  void anEventOccursWhenItIsRecorded() throws Exception {
    NewEvent event = event();
    Instant before = Instant.now().minus(Duration.ofSeconds(1));
    record(List.of(event));
    Instant occurred = find(event.id()).orElseThrow().occurredAt();
    assertTrue(occurred.isAfter(before) && occurred.isBefore(Instant.now().plusSeconds(1)));
  }

  /** A database may write a number otherwise than it was given. */
  @Test
  void everyValueThatTheRulesAllowIsStoredAndMayBePublished() throws Exception {
    for (String json :
        List.of(
            "1e997",
            "-1e-997",
            "1".repeat(1_000),
            "[".repeat(1_000) + "]".repeat(1_000),
            "\"\\u0001\\ud83d\\ude00\"",
            "null",
            "[[]]")) {
      NewEvent event = NewEvent.of("order", "é\n\u0001", "paid", json);
      record(List.of(event));
      OutboxEvent row = find(event.id()).orElseThrow();
      assertDoesNotThrow(() -> EventRules.require(row, "shop"), json);
    }
  }

  @Test
  void theTableRefusesAnEventOfTheFuture() throws Exception {
    NewEvent event = event();
    Database database = database();
    List<String> values =
        EventRow.event(
            database, event.withOccurredAt(Instant.now().plusSeconds(600)), Instant.now());
    String time = values.get(6);
    // The library's own insert puts a bound to the time, as a clock may be ahead; plain SQL does
    // not.
    assertThrows(
        SQLException.class,
        () ->
            transaction(
                connection -> {
                  try (PreparedStatement statement =
                      connection.prepareStatement(
                          "INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type,"
                              + " payload, occurred_at) VALUES (?, 'a', 'b', 'c', '{}', ?)")) {
                    database.setId(statement, 1, event.id().value());
                    database.setTime(
                        statement,
                        2,
                        database == Database.SQLITE
                            ? Instant.ofEpochSecond(0, Long.parseLong(time) * 1_000)
                            : Instant.parse(time));
                    statement.executeUpdate();
                  }
                }));
  }

  private Database database() throws Exception {
    try (Connection connection = source().getConnection()) {
      return Database.of(connection);
    }
  }

  @Test
  void migratingTwiceChangesNothing() throws Exception {
    assertEquals(0, OutboxSchema.migrate(source()));
  }

  private OutboxPublisher publisher(JdbcOutboxStore of, ScriptedTopic topic) {
    return OutboxPublisher.builder(
            of, PublisherSettings.of("shop"), subject -> List.of("billing"), name -> topic)
        .clock(clock)
        .build();
  }

  @Test
  void anEventThatAnotherPublisherHoldsIsNotPublished() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    ScriptedTopic topic = new ScriptedTopic();
    try (JdbcOutboxStore other = new JdbcOutboxStore(source(), clock)) {
      OutboxPublisher publisher = publisher(other, topic);
      try (OutboxTransaction transaction = store.begin(new Passes(clock))) {
        assertInstanceOf(EventClaim.Claimed.class, transaction.claim(event.id()));
        assertEquals(new PublishOutcome.Busy(), publisher.publish(event.id()));
        transaction.events().markPublished(event.id());
        transaction.commit();
      }
      store.close();
      assertInstanceOf(PublishOutcome.AlreadyPublished.class, publisher.publish(event.id()));
    }
    assertEquals(List.of(), topic.calls());
  }

  @Test
  void aParkedEventIsPublishedByItsId() throws Exception {
    NewEvent parked = event("1", 0);
    NewEvent later = event("1", 1);
    record(List.of(parked, later));
    park(parked, ErrorCode.REFUSED);
    ScriptedTopic topic = new ScriptedTopic();
    topic.failWith(id -> PublishException.refused(ErrorCode.REFUSED, "never", null));
    OutboxPublisher publisher = publisher(store, topic);
    assertEquals(new PublishOutcome.Failed("billing: never"), publisher.publish(parked.id()));
    assertEquals("billing: never", admin().parked(Filter.ALL).get(0).error());
    topic.heal();
    assertEquals(new PublishOutcome.Done(), publisher.publish(parked.id()));
    assertEquals(0, count("outbox_holds"));
    assertEquals(List.of(later.id()), claimAll());
    assertEquals(2, find(parked.id()).orElseThrow().publishAttempts());
  }

  @Test
  void oneEventWaitsForTheRoundThatIsRunning() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    ScriptedTopic topic = new ScriptedTopic();
    topic.silence();
    OutboxPublisher publisher = publisher(store, topic);
    FutureTask<Integer> round = start(() -> publisher.step() + publisher.step());
    Deadline.in(PATIENCE).await(() -> topic.calls().size() == 1, () -> "the event in flight");
    FutureTask<PublishOutcome> one = new FutureTask<>(() -> publisher.publish(event.id()));
    Thread waiting = new Thread(one);
    waiting.start();
    Deadline.in(PATIENCE)
        .await(() -> waiting.getState() == Thread.State.WAITING, () -> "the turn to be taken");
    topic.answer(event.id());
    assertEquals(1, round.get(10, TimeUnit.SECONDS));
    assertInstanceOf(PublishOutcome.AlreadyPublished.class, one.get(10, TimeUnit.SECONDS));
    assertEquals(List.of(event.id()), topic.calls());
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task).start();
    return task;
  }

  private int count(String table) throws Exception {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }

  private void publishAll() throws Exception {
    Passes passes = new Passes(clock);
    for (int claim = 0; claim < 4; claim++) {
      try (OutboxTransaction transaction = store.begin(passes)) {
        transaction
            .events()
            .findUnpublished()
            .forEach(event -> transaction.events().markPublished(event.messageId()));
        transaction.commit();
      }
    }
  }

  @Test
  void publishedEventsArePurgedWhenTheyAreOldAndOthersAreNot() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i <= JdbcPurge.MAX_ROWS; i++) {
      events.add(event("1", i).withTrace(TRACE));
    }
    record(events);
    publishAll();
    NewEvent open = event("1", 0);
    record(List.of(open));
    JdbcPurge purge = new JdbcPurge(source(), clock::now);
    clock.advance(Duration.ofDays(7));
    assertEquals(0, purge.outbox(Duration.ofDays(7)));
    clock.advance(Duration.ofNanos(1_000));
    assertEquals(JdbcPurge.MAX_ROWS, purge.outbox(Duration.ofDays(7)));
    assertEquals(1, purge.outbox(Duration.ofDays(7)));
    assertEquals(1, count("outbox_events"));
    assertEquals(0, count("outbox_headers"));
    assertTrue(isThere(open.id()));
  }

  @Test
  void oldChangesOfOperatorsArePurged() throws Exception {
    OutboxAdmin admin = admin();
    for (int i = 0; i < 3; i++) {
      admin.note("route", MessageId.next(), OPERATOR);
    }
    clock.advance(Duration.ofDays(365));
    admin.note("route", MessageId.next(), OPERATOR);
    JdbcPurge purge = new JdbcPurge(source(), clock::now);
    assertEquals(0, purge.audit(Duration.ofDays(365)));
    clock.advance(Duration.ofNanos(1_000));
    assertEquals(3, purge.audit(Duration.ofDays(365)));
    assertEquals(1, count("outbox_audit"));
  }

  @Test
  void theBacklogIsWhatIsNotPublished() throws Exception {
    Backlogs backlogs = new JdbcBacklogs(source());
    assertEquals(new Backlog(0, null), backlogs.outbox());
    record(List.of(event("1", 0)));
    publishAll();
    NewEvent oldest = event("1", 1);
    record(List.of(event("1", 2), oldest));
    assertEquals(new Backlog(2, oldest.occurredAt()), backlogs.outbox());
  }

  private static final Operator OPERATOR = new Operator("ada", "fixed the consumer");

  private OutboxAdmin admin() throws Exception {
    return new JdbcOutboxAdmin(source(), clock::now);
  }

  private void park(NewEvent event, ErrorCode code) throws Exception {
    commit(event.id(), (transaction, row) -> transaction.park(row, code, "no", true));
  }

  @Test
  void parkedEventsAreListedAndTriedAgain() throws Exception {
    NewEvent first = event("1", 0);
    NewEvent second = event("2", 0);
    record(List.of(first, second));
    park(first, ErrorCode.REFUSED);
    clock.advance(Duration.ofMinutes(1));
    park(second, ErrorCode.NO_ROUTE);
    OutboxAdmin admin = admin();
    assertEquals(List.of(first.id(), second.id()), parked(admin, Filter.ALL));
    assertEquals(
        List.of(second.id()),
        parked(admin, new Filter(Optional.of(ErrorCode.NO_ROUTE), Duration.ZERO)));
    assertEquals(
        List.of(first.id()), parked(admin, new Filter(Optional.empty(), Duration.ofMinutes(1))));
    assertEquals(ErrorCode.REFUSED, admin.parked(Filter.ALL).get(0).code());
    assertEquals("no", admin.parked(Filter.ALL).get(0).error());
    assertEquals(List.of(), claimAll());

    assertTrue(admin.retry(first.id(), OPERATOR));
    assertFalse(admin.retry(first.id(), OPERATOR));
    assertEquals(1, admin.retry(Filter.ALL, OPERATOR));
    assertEquals(2, claimAll().size());
    assertEquals(2, count("outbox_audit WHERE actor = 'ada' AND action = 'retry'"));
  }

  @Test
  void parkedEventsAreSelectedByTheWordsOfTheirErrors() throws Exception {
    List<String> errors = List.of("billing: 100% FULL!", "billing: 1000 full", "a_b", "a-b");
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < errors.size(); i++) {
      events.add(event(Integer.toString(i), i));
    }
    record(events);
    for (int i = 0; i < errors.size(); i++) {
      String error = errors.get(i);
      commit(
          events.get(i).id(),
          (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, error, true));
      clock.advance(Duration.ofNanos(1_000));
    }
    assertEquals(List.of(0, 1), found(errors, "FULL"));
    assertEquals(List.of(0), found(errors, "100% full!"));
    assertEquals(List.of(2), found(errors, "A_b"));
    assertEquals(List.of(), found(errors, "away"));
    Filter filter = new Filter(Optional.of(ErrorCode.REFUSED), Optional.of("a-"), Duration.ZERO);
    assertEquals(1, admin().retry(filter, OPERATOR));
    assertEquals(List.of(0, 1, 2), found(errors, ""));
  }

  private List<Integer> found(List<String> errors, String words) throws Exception {
    Filter filter = new Filter(Optional.empty(), Optional.of(words), Duration.ZERO);
    return admin().parked(filter).stream().map(one -> errors.indexOf(one.error())).toList();
  }

  private static List<MessageId> parked(OutboxAdmin admin, Filter filter) {
    return admin.parked(filter).stream().map(parked -> parked.event().messageId()).toList();
  }

  @Test
  void eventsThatAreNotPublishedAreListedWhetherParkedOrNot() throws Exception {
    NewEvent published = event("0", 0);
    record(List.of(published));
    publishAll();
    NewEvent parked = event("1", 1);
    NewEvent failing = event("2", 2);
    NewEvent fresh = event("3", 3);
    record(List.of(fresh, failing, parked));
    for (NewEvent failed : List.of(parked, failing)) {
      commit(
          failed.id(),
          (transaction, row) ->
              transaction.events().incrementAttempts(failed.id(), "billing: Connection refused"));
    }
    park(parked, ErrorCode.NO_ROUTE);
    Instant now = find(fresh.id()).orElseThrow().occurredAt();
    OutboxAdmin admin = new JdbcOutboxAdmin(source(), () -> now);
    List<Unpublished> all = admin.unpublished(Filter.ALL);
    assertEquals(List.of(parked.id(), failing.id(), fresh.id()), ids(all));
    assertEquals(
        List.of(Optional.of(ErrorCode.NO_ROUTE), Optional.empty(), Optional.empty()),
        all.stream().map(Unpublished::code).toList());
    assertEquals(1, all.get(0).event().publishAttempts());
    assertEquals(List.of(parked.id(), failing.id()), unpublished(admin, null, "REFUSED", 0));
    assertEquals(List.of(parked.id()), unpublished(admin, ErrorCode.NO_ROUTE, "", 0));
    assertEquals(List.of(), unpublished(admin, ErrorCode.REFUSED, "", 0));
    assertEquals(List.of(parked.id(), failing.id()), unpublished(admin, null, "", 1));
    assertEquals(List.of(parked.id()), unpublished(admin, null, "", 2));
  }

  private static List<MessageId> unpublished(
      OutboxAdmin admin, @Nullable ErrorCode code, String error, int seconds) {
    Filter filter =
        new Filter(Optional.ofNullable(code), Optional.of(error), Duration.ofSeconds(seconds));
    return ids(admin.unpublished(filter));
  }

  private static List<MessageId> ids(List<Unpublished> events) {
    return events.stream().map(one -> one.event().messageId()).toList();
  }

  @Test
  void aListOfEventsHasABound() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i <= OutboxAdmin.MAX_EVENTS; i++) {
      events.add(event("1", 0));
    }
    record(events);
    assertEquals(OutboxAdmin.MAX_EVENTS, admin().unpublished(Filter.ALL).size());
  }

  @Test
  void aCommandThatIsCarriedOutElsewhereIsWrittenDown() throws Exception {
    MessageId id = MessageId.next();
    admin().note("publish", id, OPERATOR);
    assertEquals(
        1,
        count(
            "outbox_audit WHERE actor = 'ada' AND action = 'publish' AND event_id = '"
                + id
                + "' AND note = 'fixed the consumer'"));
  }

  @Test
  void aSkippedEventMovesToTheAuditAndItsAggregateGoesOn() throws Exception {
    NewEvent poisoned = event("1", 0).withTrace(TRACE);
    NewEvent later = event("1", 1);
    record(List.of(poisoned, later));
    assertFalse(admin().skip(poisoned.id(), OPERATOR));
    park(poisoned, ErrorCode.REFUSED);
    assertTrue(admin().skip(poisoned.id(), OPERATOR));
    assertFalse(isThere(poisoned.id()));
    assertEquals(0, count("outbox_headers"));
    assertEquals(List.of(later.id()), claimAll());
    assertEquals(
        1, count("outbox_audit WHERE action = 'skip' AND event LIKE '%" + poisoned.id() + "%'"));
  }

  @Test
  void aPublishedEventIsPublishedAgain() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    assertFalse(admin().republish(event.id(), OPERATOR));
    publishAll();
    assertTrue(admin().republish(event.id(), OPERATOR));
    assertEquals(List.of(event.id()), claimAll());
    MessageId copy = admin().republishAsNew(event.id(), OPERATOR).orElseThrow();
    assertEquals(event.id().value(), find(copy).orElseThrow().causationId());
    assertEquals(Optional.empty(), admin().republishAsNew(MessageId.next(), OPERATOR));
  }

  @Test
  void theHistoryOfTheOutboxIsReadForAReplay() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i <= 1_000; i++) {
      // The last of the first page and the first of the second differ by their ids alone.
      events.add(event("1", i / 600).withTrace(TRACE));
    }
    record(List.of(event("1", 0)));
    publishAll();
    clock.advance(Duration.ofMinutes(1));
    Instant since = clock.now();
    record(events);
    publishAll();
    record(List.of(event("1", 0)));
    OutboxHistory history = admin().replay("audit", since, OPERATOR);
    List<Past> page = history.next();
    assertEquals(1_000, page.size());
    List<Past> all = new ArrayList<>(page);
    all.addAll(history.next());
    assertEquals(
        events.stream().map(NewEvent::id).toList(),
        all.stream().map(past -> past.event().messageId()).toList());
    assertTrue(all.stream().allMatch(past -> TRACE.equals(past.trace())));
    assertEquals(List.of(), history.next());
    assertEquals(
        1, count("outbox_audit WHERE event_id IS NULL AND action LIKE 'replay to audit since %'"));
    assertEquals(List.of(), admin().replay("audit", since.plusNanos(1_000), OPERATOR).next());
  }

  @Test
  void aPageOfTheHistoryHasABoundInBytes() throws Exception {
    String text = '"' + "a".repeat(EventRules.MAX_PAYLOAD_BYTES - 2) + '"';
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      events.add(NewEvent.of("order", "1", "paid", text));
    }
    record(events);
    publishAll();
    OutboxHistory history = admin().replay("audit", Instant.EPOCH, OPERATOR);
    assertEquals(16, history.next().size());
    assertEquals(4, history.next().size());
  }

  @Test
  void aChangeNeedsANote() {
    assertThrows(OutboxException.class, () -> new Operator("ada", " "));
    assertThrows(OutboxException.class, () -> new Operator("", "why"));
    assertThrows(OutboxException.class, () -> new Operator("ada", "w".repeat(1_025)));
  }

  /** Inserts events as an application without the library does, in one transaction. */
  private List<MessageId> insertBySql(int count) throws Exception {
    List<MessageId> ids = new ArrayList<>();
    transaction(
        connection -> {
          Database database = Database.of(connection);
          String payload = database == Database.H2 ? "JSON '{}'" : "'{}'";
          for (int i = 0; i < count; i++) {
            MessageId id = new MessageId(UUID.randomUUID());
            ids.add(id);
            int unused =
                Transactions.update(
                    connection,
                    "INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type,"
                        + " payload) VALUES (?, 'order', '7', 'paid', "
                        + payload
                        + ")",
                    statement -> database.setId(statement, 1, id.value()));
          }
        });
    return ids;
  }

  @Test
  void eventsThatSqlInsertsKeepTheirOrder() throws Exception {
    List<MessageId> inserted = insertBySql(1200);
    Passes passes = new Passes(clock);
    List<MessageId> claimed = new ArrayList<>();
    for (int half = 0; half < 4; half++) {
      try (OutboxTransaction transaction = store.begin(passes)) {
        transaction.events().findUnpublished().forEach(event -> claimed.add(event.messageId()));
      }
    }
    // A claim of more lanes begins at the head of those.
    assertTrue(inserted.equals(claimed.stream().distinct().toList()), "the order of insertion");
  }

  @Test
  void aReplayKeepsTheOrderOfWhatSqlInserted() throws Exception {
    List<MessageId> inserted = insertBySql(30);
    for (int half = 0; half < 2; half++) {
      try (OutboxTransaction transaction = store.begin(new Passes(clock))) {
        transaction
            .events()
            .findUnpublished()
            .forEach(event -> transaction.events().markPublished(event.messageId()));
        transaction.commit();
      }
    }
    OutboxHistory history =
        new JdbcOutboxAdmin(source(), clock::now)
            .replay("audit", Instant.EPOCH, new Operator("ada", "a new consumer"));
    assertEquals(inserted, history.next().stream().map(past -> past.event().messageId()).toList());
  }

  @Test
  void eventsFromBeforeThereWereNumbersComeFirst() throws Exception {
    List<MessageId> inserted = insertBySql(2);
    transaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE outbox_events SET seq = NULL");
          }
        });
    List<MessageId> later = insertBySql(1);
    List<MessageId> claimed = claimAll();
    assertEquals(Set.copyOf(inserted), Set.copyOf(claimed.subList(0, 2)));
    assertEquals(later, claimed.subList(2, 3));
  }

  @Test
  void eventsBehindAParkedOneAreReadOnceAPass() throws Exception {
    List<MessageId> held = insertBySql(20);
    commit(held.get(0), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", true));
    BitSet all = new BitSet();
    all.set(0, Lane.COUNT);
    Passes passes = new Passes(clock);
    assertEquals(0, claimed(passes));
    assertEquals(0, claimed(passes));
    assertEquals(held.get(19), passes.begin(all).id());
    List<MessageId> next = insertBySql(1);
    assertEquals(0, claimed(passes));
    assertEquals(next.get(0), passes.begin(all).id());
    NewEvent open = NewEvent.of("order", "8", "paid", "{}");
    record(List.of(open));
    assertEquals(1, claimed(passes) + claimed(passes));
    clock.advance(Duration.ofSeconds(1));
    assertEquals(Position.HEAD, passes.begin(all));
  }

  protected final int claimed(Passes passes) {
    try (OutboxTransaction transaction = store.begin(passes)) {
      return transaction.events().findUnpublished().size();
    }
  }
}
