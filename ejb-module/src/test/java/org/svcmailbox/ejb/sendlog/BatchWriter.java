package org.svcmailbox.ejb.sendlog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.sendlog.Batch;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.BatchPages;
import org.svcmailbox.core.sendlog.Row;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStore.Advance;
import org.svcmailbox.core.sendlog.SendLogStore.MovedException;

/** A worker whose batches of random size for its shards are applied, continuing what it finds. */
final class BatchWriter {
  static final int WORKERS = 2;
  static final int SHARDS_EACH = 2;
  static final int TOPIC = 1;

  private static final int MAX_ROWS = 64;
  private static final int MAX_BATCHES = 3;
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final SendLogStore store;
  private final int worker;
  private final Random random;
  private final List<SampleShard> shards;
  private BatchId last;

  BatchWriter(SendLogStore store, int worker, long seed) {
    this.store = store;
    this.worker = worker;
    this.random = new Random(seed + worker);
    this.last = store.applied(worker);
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
      batches.add(new Batch(worker, last, BatchPages.of(rows)));
      announced.add(Announced.of(worker, last.number(), to, rows));
    }
    store.apply(List.of(new Advance(worker, from, batches)));
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
