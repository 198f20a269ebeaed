package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.ejb.store.TestDatabase;

/** How much is asked of the database, however many rows a batch has. */
interface HotPathContract {
  Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  TestDatabase database();

  @Test
  default void aBatchIsAFewStatementsHoweverManyRowsItHas() throws KeyTakenException {
    SendLog log = new JpaSendLog(database().transactions(), InstantSource.system());
    SampleShard shard = new SampleShard(1, 0);
    log.reserve(SampleBatch.of(0, 1, shard.rows("first", 1, LATER)));

    // The batch's number, its page of keys, its page of the ledger.
    long number = 1;
    for (int size : new int[] {1, 3, 64, 100, 512}) {
      Batch batch = SampleBatch.of(0, ++number, shard.rows("k" + size, size, LATER));
      assertEquals(3, database().statements(() -> reserve(log, batch)), size + " rows");
    }
  }

  @Test
  default void replacingExpiredKeysIsNoStatementMore() throws KeyTakenException {
    SendLog log = new JpaSendLog(database().transactions(), InstantSource.system());
    SampleShard shard = new SampleShard(1, 0);
    log.reserve(SampleBatch.of(0, 1, shard.rows("k", 64, Instant.EPOCH)));
    List<Row> again = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      again.add(shard.replacing("k-" + i, LATER));
    }

    assertEquals(3, database().statements(() -> reserve(log, SampleBatch.of(0, 2, again))));
    assertEquals(64, log.countKeys());
  }

  @Test
  default void aLookAtNewKeysAsksNothingAndOneAtOldKeysTheirPages() throws KeyTakenException {
    SendLog log = new JpaSendLog(database().transactions(), InstantSource.system());
    SampleShard shard = new SampleShard(1, 0);
    List<Row> rows = shard.rows("k", 512, LATER);
    List<IdempotencyKey> keys = rows.stream().map(Row::key).toList();
    assertEquals(0, log.countKeys());

    assertEquals(0, database().statements(() -> log.find(keys)));
    log.reserve(SampleBatch.of(0, 1, rows.subList(0, 500)));
    log.reserve(SampleBatch.of(0, 2, rows.subList(500, 512)));
    assertEquals(2, database().statements(() -> log.find(keys)));
    assertEquals(1, database().statements(() -> log.find(keys.subList(0, 100))));
  }

  private static void reserve(SendLog log, Batch batch) {
    try {
      log.reserve(batch);
    } catch (KeyTakenException e) {
      throw new AssertionError(e);
    }
  }
}
