package org.svcmailbox.ejb.batch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/** A worker whose batches of random size for its shards are applied, continuing what it finds. */
final class BatchWriter {
  static final int WORKERS = 2;
  static final int SHARDS_EACH = 2;
  static final int TOPIC = 1;

  private static final int MAX_ROWS = 64;
  private static final int MAX_BATCHES = 3;
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final ProjectionStore store;
  private final int worker;
  private final Random random;
  private final List<SampleShard> shards;
  private BatchId last;

  BatchWriter(ProjectionStore store, int worker, long seed) {
    this.store = store;
    this.worker = worker;
    this.random = new Random(seed + worker);
    this.last = store.applied(WorkerId.of(worker));
    Map<LedgerId, LedgerHead> heads = store.heads();
    this.shards =
        IntStream.range(worker * SHARDS_EACH, (worker + 1) * SHARDS_EACH)
            .mapToObj(shard -> shard(heads, shard))
            .toList();
  }

  private static SampleShard shard(Map<LedgerId, LedgerHead> heads, int shard) {
    LedgerHead head = heads.getOrDefault(new LedgerId(TOPIC, shard), LedgerHead.EMPTY);
    return new SampleShard(TOPIC, shard, head);
  }

  /** Applies some batches in one transaction. */
  List<Announced> step() throws MovedException {
    BatchId from = last;
    long to = from.number() + 1 + random.nextInt(MAX_BATCHES);
    List<Batch> batches = new ArrayList<>();
    List<Announced> announced = new ArrayList<>();
    while (last.number() < to) {
      last = new BatchId(last.number() + 1, random.nextLong());
      List<Row> rows = rows();
      batches.add(new Batch(WorkerId.of(worker), last, BatchPages.of(rows)));
      announced.add(Announced.of(worker, last.number(), to, rows));
    }
    store.apply(List.of(new Advance(WorkerId.of(worker), from, batches)));
    return announced;
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int count = 1 + random.nextInt(MAX_ROWS); count > 0; count--) {
      SampleShard shard = shards.get(random.nextInt(SHARDS_EACH));
      rows.add(shard.row(Announced.key(worker, last.number(), rows.size()), LATER));
    }
    return rows;
  }
}
