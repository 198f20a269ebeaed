package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SampleStart;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;
import org.svcmailbox.ejb.topic.JpaTopicStore;

/** The embedded file keeps all of the projection when the process that wrote it is gone. */
class ReopenedRegistryTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void theProjectionGoesOnWhereItWasAfterARestart() throws SQLException {
    SampleShard shard = new SampleShard(1, 0);
    SampleWorker worker = new SampleWorker(3);
    List<Row> rows = new ArrayList<>(shard.rows("a", 6, LATER));
    SampleWorker.applyAll(
        store(), List.of(worker.next(List.of(rows.subList(0, 1), rows.subList(1, 6)))));

    DATABASE.reopen();

    assertEquals(List.of(WorkerId.of(3)), store().workers());
    assertEquals(SampleBatch.id(2), store().applied(WorkerId.of(3)));
    assertEquals(Map.of(shard.ledger(), LedgerHead.after(rows.get(5).entry())), store().heads());
    Advance again = new SampleWorker(3).next(List.of(rows));
    assertThrows(MovedException.class, () -> store().apply(List.of(again)));
    rows.add(shard.row("b", LATER));
    worker.apply(store(), rows.subList(6, 7));
    assertEquals(rows.stream().map(Row::entry).toList(), store().ledger(shard.ledger(), 1, 10));
  }

  @Test
  void keysAreStillTakenAfterARestart() throws SQLException {
    List<Row> rows = new SampleShard(1, 0).rows("k", 6, LATER);
    SampleWorker worker = new SampleWorker(3);
    worker.apply(store(), rows.subList(0, 1));
    worker.apply(store(), rows.subList(1, 6));

    DATABASE.reopen();

    SendRegistry registry = new SendRegistry(store(), System::nanoTime);
    SampleStart.begin(registry);
    assertEquals(6, registry.countKeys());
    for (Row row : rows) {
      assertEquals(
          Map.of(row.key(), new Taken.Confirmed(row.reservation())),
          registry.find(List.of(row.key()), Instant.EPOCH));
    }
  }

  @Test
  void anIdIsNotUsedAgainAfterARestart() throws SQLException {
    TopicName name = new TopicName("orders");
    int before = topics().create(name, TopicStoreContract.PLAIN, 0).id();
    topics().delete(before, name);

    DATABASE.reopen();

    assertNotEquals(before, topics().create(name, TopicStoreContract.PLAIN, 0).id());
  }

  private static ProjectionStore store() {
    return new JpaProjectionStore(DATABASE.transactions());
  }

  private static TopicStore topics() {
    return new JpaTopicStore(DATABASE.transactions());
  }
}
