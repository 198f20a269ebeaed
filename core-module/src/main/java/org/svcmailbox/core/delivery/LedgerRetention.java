package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.svcmailbox.core.topic.Topic;

/**
 * Keeps the ledgers within bounds: removes entries that are older than the retention, and all of
 * deleted topics. A step does a bounded amount and looks at a bounded number of ledgers; the next
 * one goes on from there. One thread.
 */
final class LedgerRetention {
  /** Ledgers looked at in one step. */
  static final int LEDGERS = 20;

  /** Batches' entries removed in one transaction. */
  static final int BATCHES = 500;

  private record Ledger(int topicId, int shard) {}

  private final SendLog log;
  private final Supplier<List<Topic>> topics;
  private final Duration retention;
  private final InstantSource wall;
  private Iterator<Ledger> round = Collections.emptyIterator();

  LedgerRetention(
      SendLog log, Supplier<List<Topic>> topics, Duration retention, InstantSource wall) {
    this.log = log;
    this.topics = topics;
    this.retention = retention;
    this.wall = wall;
  }

  /** Removes some of what is due; returns how many entries of ledgers that go on. */
  int step() {
    log.sweepDeleted(BATCHES);
    if (!round.hasNext()) {
      round = ledgers(topics.get());
    }
    Instant before = wall.instant().minus(retention);
    int trimmed = 0;
    for (int i = 0; i < LEDGERS && round.hasNext(); i++) {
      Ledger ledger = round.next();
      trimmed += log.trimLedger(ledger.topicId(), ledger.shard(), before, BATCHES);
    }
    return trimmed;
  }

  private static Iterator<Ledger> ledgers(List<Topic> topics) {
    return topics.stream().flatMap(LedgerRetention::ledgers).iterator();
  }

  /** Those of shards that are closed too. */
  private static Stream<Ledger> ledgers(Topic topic) {
    return IntStream.range(0, topic.state().madeShards())
        .mapToObj(shard -> new Ledger(topic.id(), shard));
  }
}
