package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.KeyTakenException;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SampleStart;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.store.TestDatabase;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * PostgreSQL ends a transaction of the projection after its client has given up. Until then it
 * holds the worker's row, and nobody can say how it will end.
 */
class LateCommitTest {
  @RegisterExtension
  static final TestDatabase DATABASE = TestDatabase.postgres(Duration.ofSeconds(5));

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** How the late transaction ends. */
  enum End {
    COMMITTED(""),
    ROLLED_BACK(
        "select pg_terminate_backend(pid, 10000) from pg_locks"
            + " where locktype = 'advisory' and objid = 42 and not granted");

    private final String before;

    End(String before) {
      this.before = before;
    }

    void come(Statement statement) throws SQLException {
      if (!before.isEmpty()) {
        statement.execute(before);
      }
      statement.execute("select pg_advisory_unlock(42)");
    }
  }

  private final SampleShard shard = new SampleShard(1, 0);
  private final List<Row> rows = new ArrayList<>();
  private final ProjectionStore store = new JpaProjectionStore(DATABASE.transactions());
  private final SendRegistry registry = new SendRegistry(store, System::nanoTime);

  @BeforeEach
  void begin() {
    DATABASE.transactions().probe();
    SampleStart.begin(registry);
  }

  @ParameterizedTest
  @EnumSource
  void aFirstBatchThatIsLateIsProjectedOnce(End end) throws Exception {
    aLateBatchIsProjectedOnce(end);
  }

  @ParameterizedTest
  @EnumSource
  void aLaterBatchThatIsLateIsProjectedOnce(End end) throws Exception {
    confirm();
    registry.projector().drain();
    aLateBatchIsProjectedOnce(end);
  }

  private void aLateBatchIsProjectedOnce(End end) throws Exception {
    confirm();
    try (Connection other = DATABASE.source().getConnection();
        Statement statement = other.createStatement()) {
      projectLate(statement);
      confirm();
      UnavailableException thrown =
          assertThrows(
              UnavailableException.class, registry.projector()::drain, "while it is under way");
      assertEquals(LOCK_NOT_AVAILABLE, state(thrown), "why the next one failed");
      assertEquals(rows.size() - 2, store.applied(WorkerId.of(0)).number());
      end.come(statement);
    }

    registry.projector().drain();
    check();
  }

  @ParameterizedTest
  @EnumSource
  void oneThatEndsWhileTheNextOneWaitsIsProjectedOnce(End end) throws Exception {
    confirm();
    registry.projector().drain();
    confirm();
    try (Connection other = DATABASE.source().getConnection();
        Statement statement = other.createStatement()) {
      projectLate(statement);
      confirm();
      CompletableFuture<Void> next = CompletableFuture.runAsync(registry.projector()::drain);
      Deadline.in(SOON)
          .await(() -> next.isDone() || isAwaited(statement), () -> "a wait for the row");
      end.come(statement);
      // On a slow machine its patience may have ended before.
      next.handle((done, failure) -> true).join();
    }

    registry.projector().drain();
    check();
  }

  @Test
  void aLateBatchDoesNotKeepAnotherProcessFromReading() throws Exception {
    confirm();
    try (Connection other = DATABASE.source().getConnection();
        Statement statement = other.createStatement()) {
      projectLate(statement);
      assertEquals(List.of(), store.workers());
      assertEquals(List.of(), store.ledger(shard.ledger(), 1, 10));
      assertEquals(Set.of(rows.get(0).key()), registry.find(keys(), NOW).keySet());
      End.COMMITTED.come(statement);
    }

    registry.projector().drain();
    check();
  }

  /** The broker has the worker's next batch. */
  private void confirm() throws KeyTakenException {
    long number = rows.size() + 1L;
    rows.add(shard.row("k" + number, LATER));
    Batch batch = SampleBatch.of(0, number, rows.subList(rows.size() - 1, rows.size()));
    registry.take(batch, NOW);
    registry.resolve(WorkerId.of(0), batch.id());
  }

  /** Projects what is pending until the client gives up. */
  private void projectLate(Statement statement) throws SQLException {
    commitsWaitForUs(statement);
    assertThrows(UnavailableException.class, registry.projector()::drain);
    DATABASE.transactions().probe();
  }

  /** The database has each batch once. */
  private void check() {
    assertEquals(SampleBatch.id(rows.size()), store.applied(WorkerId.of(0)));
    assertEquals(SampleBatch.id(rows.size()), registry.projector().applied(WorkerId.of(0)));
    assertEquals(
        rows.stream().map(Row::entry).toList(), store.ledger(shard.ledger(), 1, rows.size() + 10));
    assertEquals(
        LedgerHead.after(rows.get(rows.size() - 1).entry()), store.heads().get(shard.ledger()));
    List<Long> pages = new ArrayList<>();
    store.keyPages(WorkerId.of(0), (batchNo, keys) -> pages.add(batchNo));
    assertEquals(rows.size(), pages.size(), pages::toString);
    Map<IdempotencyKey, Taken> taken = new HashMap<>();
    rows.forEach(row -> taken.put(row.key(), new Taken.Confirmed(row.reservation())));
    assertEquals(taken, registry.find(keys(), NOW));
    assertEquals("", registry.projector().trouble());
  }

  private List<IdempotencyKey> keys() {
    return rows.stream().map(Row::key).toList();
  }

  private static @Nullable String state(Throwable failure) {
    Throwable cause = failure.getCause();
    while (cause != null && !(cause instanceof SQLException)) {
      cause = cause.getCause();
    }
    assertNotNull(cause, failure::toString);
    return ((SQLException) cause).getSQLState();
  }

  private static boolean isAwaited(Statement statement) {
    String waiting =
        "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
            + " and wait_event <> 'advisory' and datname = current_database()";
    try (ResultSet row = statement.executeQuery(waiting)) {
      return row.next();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** From now on, a transaction that writes a batch waits for us when it commits. */
  private static void commitsWaitForUs(Statement statement) throws SQLException {
    statement.execute("select pg_advisory_lock(42)");
    statement.execute(
        "create or replace function wait_for_us() returns trigger as $$ begin"
            + " perform pg_advisory_xact_lock_shared(42); return null; end $$ language plpgsql");
    statement.execute(
        "create constraint trigger late after insert on ledger_page"
            + " deferrable initially deferred for each row execute function wait_for_us()");
  }

  @AfterEach
  void commitAtOnce() throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop trigger if exists late on ledger_page");
    }
  }
}
