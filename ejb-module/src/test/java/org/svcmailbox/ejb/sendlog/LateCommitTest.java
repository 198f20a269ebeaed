package org.svcmailbox.ejb.sendlog;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.ejb.store.TestDatabase;

/**
 * PostgreSQL commits a batch after its client has given up. Until then nobody can say whether it
 * will.
 */
class LateCommitTest {
  @RegisterExtension
  static final TestDatabase DATABASE = TestDatabase.postgres(Duration.ofSeconds(2));

  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final SampleShard shard = new SampleShard(1, 0);
  private final SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.system());

  @Test
  void aFirstBatchThatIsLateIsNotTakenForOneThatNeverWas() throws SQLException {
    aLateBatchIsFound(1);
  }

  @Test
  void aLaterBatchThatIsLateIsNotTakenForOneThatNeverWas() throws Exception {
    log.reserve(SampleBatch.of(0, 1, List.of(shard.row("before", LATER))));
    aLateBatchIsFound(2);
  }

  private void aLateBatchIsFound(long batchNo) throws SQLException {
    Row row = shard.row("k", LATER);
    try (Connection other = DATABASE.source().getConnection();
        Statement statement = other.createStatement()) {
      commitsWaitForUs(statement);
      assertThrows(
          UnavailableException.class, () -> log.reserve(SampleBatch.of(0, batchNo, List.of(row))));

      DATABASE.transactions().probe();
      assertThrows(UnavailableException.class, () -> log.lastBatch(0), "while it is under way");
      assertFalse(requireNonNull(log.find(List.of(row.key())).get(row.key())).isConfirmed());
      statement.execute("select pg_advisory_unlock(42)");
    }

    assertEquals(batchNo, log.lastBatch(0).last().number());
    log.withdraw(0, batchNo);
    assertEquals(Map.of(), log.find(List.of(row.key())));
  }

  @Test
  void whoAsksForABatchDoesNotKeepAnotherWorkerWaiting() throws KeyTakenException {
    assertEquals(0, log.lastBatch(0).last().number());
    assertEquals(List.of(), log.workers());
    log.reserve(SampleBatch.of(1, 1, List.of(shard.row("k", LATER))));
    assertEquals(List.of(1), log.workers());
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
