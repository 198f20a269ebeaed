package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SampleBatch;
import org.svcmailbox.core.delivery.SampleShard;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.store.TestDatabase;

/** What is known of a batch whose writing failed: nothing, until the database is asked. */
class DoubtfulBatchTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final SampleShard shard = new SampleShard(1, 0);
  private final Row row = shard.row("k", LATER);
  private final Batch batch = SampleBatch.of(0, 1, List.of(row));

  @Test
  void aBatchThatWasNotWrittenGivesItsKeysBack() throws Exception {
    SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.system());
    assertEquals(0, log.countKeys());
    whileLocked(
        () -> {
          assertThrows(UnavailableException.class, () -> log.reserve(batch));
          assertEquals(
              Map.of(row.key(), row.reservation()),
              SampleShard.reservations(log.find(List.of(row.key()))));
        });

    Batch other = SampleBatch.of(1, 1, List.of(new SampleShard(1, 1).row("k", LATER)));
    assertThrows(KeyTakenException.class, () -> log.reserve(other));
    assertEquals(0, log.lastBatch(0).last().number());
    assertEquals(Map.of(), SampleShard.reservations(log.find(List.of(row.key()))));
    assertEquals(0, log.countKeys());
    log.reserve(other);
  }

  @Test
  void aBatchThatWasWrittenAfterAllKeepsItsKeys() throws KeyTakenException {
    TakenKeys keys = TakenKeys.load(DATABASE.transactions());
    Collection<KeyPage> pages = keys.take(batch, Instant.EPOCH);
    DATABASE
        .transactions()
        .writeSql(new ReserveBatch(batch, pages, DATABASE.transactions().database()));
    keys.doubted(batch, pages);

    keys.settle(0, 1);

    assertEquals(
        Map.of(row.key(), row.reservation()),
        SampleShard.reservations(keys.find(List.of(row.key()))));
    assertEquals(1, DATABASE.statements(() -> keys.find(List.of(row.key()))));
    assertEquals(1, keys.purge(LATER.plus(Duration.ofDays(1)), 10));
  }

  @Test
  void whatIsNoLongerInDoubtStaysAsItIs() throws KeyTakenException {
    SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.system());
    log.reserve(batch);
    for (int i = 0; i < 2; i++) {
      assertEquals(1, log.lastBatch(0).last().number());
      assertEquals(1, log.countKeys());
    }
  }

  @Test
  void aPurgeThatFailsIsMadeUpFor() throws Exception {
    SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.fixed(Instant.EPOCH));
    log.reserve(batch);
    Instant over = LATER.plus(Duration.ofDays(1));
    whileLocked(() -> assertThrows(UnavailableException.class, () -> log.purgeExpired(over, 10)));
    assertEquals(1, log.countKeys());

    assertEquals(1, log.purgeExpired(over, 10));
    assertEquals(0, log.countKeys());
    assertEquals(0, new JpaSendLog(DATABASE.transactions(), InstantSource.system()).countKeys());
  }

  @Test
  void ofTwoPagesWithAKeyTheLaterOneCountsAfterARestart() throws KeyTakenException, SQLException {
    SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.system());
    log.reserve(SampleBatch.of(5, 1, List.of(shard.row("x", Instant.EPOCH))));
    Row heir = shard.replacing("x", LATER);
    log.reserve(SampleBatch.of(2, 1, List.of(heir)));

    DATABASE.reopen();

    SendLog again = new JpaSendLog(DATABASE.transactions(), InstantSource.system());
    assertEquals(
        Map.of(heir.key(), heir.reservation()),
        SampleShard.reservations(again.find(List.of(heir.key()))));
    assertEquals(1, again.countKeys());
    again.withdraw(5, 1);
    assertEquals(1, again.countKeys());
  }

  /** While somebody else has the only right to write. */
  private static void whileLocked(Runnable work) throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
      work.run();
      statement.execute("rollback");
    }
  }
}
