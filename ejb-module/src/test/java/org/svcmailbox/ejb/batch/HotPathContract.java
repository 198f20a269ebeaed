package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.KeyTakenException;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SampleStart;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.ejb.store.TestDatabase;

/** The statements that the projection and look-ups of keys cost. */
interface HotPathContract {
  Instant NOW = Instant.parse("2026-03-01T11:50:00Z");
  Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  TestDatabase database();

  private ProjectionStore store() {
    return new JpaProjectionStore(database().transactions());
  }

  private SendRegistry registry() {
    SendRegistry registry = new SendRegistry(store(), System::nanoTime);
    SampleStart.begin(registry);
    return registry;
  }

  /** A transaction that may commit late has its wait for rows bounded, by one statement. */
  private int bound() {
    return database().transactions().database().commitsLate() ? 1 : 0;
  }

  @Test
  default void aBatchIsAFewStatementsHoweverManyRowsItHas() {
    SampleShard shard = new SampleShard(1, 0);
    SampleWorker worker = new SampleWorker(0);
    ProjectionStore store = store();
    worker.apply(store, shard.rows("first", 1, LATER));

    // The batch's number, its page of keys, its page of the ledger, the ledger's head.
    for (int size : new int[] {1, 3, 64, 100, 512}) {
      List<Row> rows = shard.rows("k" + size, size, LATER);
      assertEquals(
          bound() + 4, database().statements(() -> worker.apply(store, rows)), size + " rows");
    }
  }

  @Test
  default void aProjectionOfManyBatchesOfManyWorkersIsFewStatements() {
    int workers = 8;
    ProjectionStore store = store();
    List<SampleWorker> all = new ArrayList<>();
    List<SampleShard> shards = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      all.add(new SampleWorker(worker));
      shards.add(new SampleShard(1, worker));
      all.get(worker).apply(store, shards.get(worker).rows("first-" + worker, 1, LATER));
    }
    List<Advance> advances = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      List<List<Row>> batches = new ArrayList<>();
      for (int batch = 0; batch < 40; batch++) {
        batches.add(shards.get(worker).rows("k" + worker + "-" + batch, 3, LATER));
      }
      advances.add(all.get(worker).next(batches));
    }

    // One for each worker, 320 pages of keys and as many of ledgers in groups of 64, and all heads.
    assertEquals(
        bound() + workers + 5 + 5 + 1,
        database().statements(() -> SampleWorker.applyAll(store, advances)));
    assertEquals(121, store.ledger(shards.get(7).ledger(), 1, 1_000).size());
  }

  @Test
  default void replacingExpiredKeysIsNoStatementMore() {
    SendRegistry registry = registry();
    SampleShard shard = new SampleShard(1, 0);
    take(registry, 1, shard.rows("k", 64, NOW));
    registry.projector().drain();

    assertEquals(0, database().statements(() -> take(registry, 2, shard.rows("k", 64, LATER))));
    assertEquals(bound() + 4, database().statements(registry.projector()::drain));
    assertEquals(64, registry.countKeys());
  }

  @Test
  default void aLookAtNewKeysAsksNothingAndOneAtOldKeysTheirPages() {
    SendRegistry registry = registry();
    List<Row> rows = new SampleShard(1, 0).rows("k", 512, LATER);
    List<IdempotencyKey> keys = rows.stream().map(Row::key).toList();
    assertEquals(0, registry.countKeys());

    assertEquals(0, looks(registry, keys), "free");
    take(registry, 1, rows.subList(0, 500));
    take(registry, 2, rows.subList(500, 512));
    assertEquals(0, looks(registry, keys), "not in the database yet");
    registry.projector().drain();
    assertEquals(2, looks(registry, keys));
    assertEquals(1, looks(registry, keys.subList(0, 100)));
    assertEquals(512, registry.find(keys, NOW).size());
  }

  private long looks(SendRegistry registry, List<IdempotencyKey> keys) {
    return database().statements(() -> registry.find(keys, NOW));
  }

  /** Takes the keys of the next batch of worker 0, which the broker then has. */
  private static void take(SendRegistry registry, long number, List<Row> rows) {
    Batch batch = SampleBatch.of(0, number, rows);
    try {
      registry.take(batch, NOW);
    } catch (KeyTakenException e) {
      throw new AssertionError(e);
    }
    registry.resolve(WorkerId.of(0), batch.id());
  }
}
