package org.svcmailbox.ejb.sendlog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;

/** A worker that reserves batches of random size for its shards, continuing what it finds. */
final class BatchWriter {
  static final int WORKERS = 2;
  static final int SHARDS_EACH = 2;
  static final int TOPIC = 1;

  private static final int MAX_ROWS = 64;
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final SendLog log;
  private final int worker;
  private final Random random;
  private final List<SampleShard> shards;
  private long last;

  BatchWriter(SendLog log, int worker, long seed) {
    this.log = log;
    this.worker = worker;
    this.random = new Random(seed + worker);
    this.last = log.lastBatch(worker).last().number();
    this.shards =
        IntStream.range(worker * SHARDS_EACH, (worker + 1) * SHARDS_EACH)
            .mapToObj(shard -> new SampleShard(TOPIC, shard, log.ledgerHead(TOPIC, shard)))
            .toList();
  }

  /** Reserves one batch. */
  Announced step() throws KeyTakenException {
    last++;
    List<Row> rows = new ArrayList<>();
    for (int count = 1 + random.nextInt(MAX_ROWS); count > 0; count--) {
      SampleShard shard = shards.get(random.nextInt(SHARDS_EACH));
      rows.add(shard.row(Announced.key(worker, last, rows.size()), LATER));
    }
    Batch batch = SampleBatch.of(worker, last, rows);
    log.reserve(batch);
    return Announced.of(batch);
  }
}
