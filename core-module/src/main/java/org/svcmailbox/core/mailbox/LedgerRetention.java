package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.mailbox.TrimOrder.Aged;
import org.svcmailbox.core.settings.MailboxSettings.Retention;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;

/**
 * Trims the ledgers: removes entries past the retention, and all entries of deleted topics. While
 * the ledgers exceed their bytes, the topic with the most entries loses its oldest ones. A step
 * takes a bounded time, and the next one continues. One thread.
 *
 * <p>Rounds over all ledgers find the one with the oldest entries. Between rounds a ledger's oldest
 * entry can only become newer, which its next turn finds out.
 */
final class LedgerRetention {
  private static final Logger LOG = System.getLogger(LedgerRetention.class.getName());

  /** Ledgers examined in one step. */
  static final int ASKED = 100;

  /**
   * Batches whose entries are removed in one transaction, which delays SENDs by some milliseconds.
   */
  static final int BATCHES = 200;

  /** A batch rarely has more entries of one ledger than this. */
  private static final int A_BATCH = 64;

  /**
   * Batches closer in age than this are removed in any order, so that one transaction takes many.
   */
  static final Duration TOGETHER = Duration.ofMinutes(1);

  /** How long a step may remove entries, of deleted topics and of others each. */
  private static final Duration MOST = Duration.ofMillis(300);

  /** The shortest time between the starts of two rounds. */
  private static final Duration ROUND = Duration.ofMinutes(1);

  private final StoredLedgers ledgers;
  private final Supplier<List<Topic>> topics;
  private final Duration retention;
  private final InstantSource wall;
  private final Ticker ticker;
  private final Purge purge;
  private final CapacityLimit bytes;
  private TrimOrder order = new TrimOrder();
  private TrimOrder found = new TrimOrder();
  private Iterator<LedgerId> round = Collections.emptyIterator();
  private long roundBegan;
  private boolean isTold;

  /**
   * @param bytes how much the ledgers take, and may take
   */
  LedgerRetention(
      StoredLedgers ledgers,
      Supplier<List<Topic>> topics,
      Retention retention,
      CapacityLimit bytes,
      InstantSource wall,
      Ticker ticker) {
    this.ledgers = ledgers;
    this.topics = topics;
    this.retention = retention.ledger();
    this.bytes = bytes;
    this.wall = wall;
    this.ticker = ticker;
    this.purge = new Purge(ticker, MOST);
    this.roundBegan = ticker.nanos() - ROUND.toNanos();
  }

  /**
   * Removes some of what is due; returns the number of entries, without those of deleted topics.
   */
  long step() {
    purge.run(() -> ledgers.sweepDeleted(BATCHES));
    ask();
    measure();
    return purge.run(this::trimOldest);
  }

  /** Looks how much the ledgers take. */
  void measure() {
    bytes.recount(ledgers.bytes());
  }

  private boolean isTooMuch() {
    return bytes.count() > bytes.capacity();
  }

  /** Continues the round. When it is complete, its result replaces the previous one. */
  private void ask() {
    if (!round.hasNext() && ticker.nanos() - roundBegan >= ROUND.toNanos()) {
      round = ledgers();
      roundBegan = ticker.nanos();
    }
    if (!round.hasNext()) {
      return;
    }
    for (int i = 0; i < ASKED && round.hasNext(); i++) {
      LedgerId ledger = round.next();
      ledgers
          .oldest(ledger)
          .ifPresent(since -> found.add(new Aged(ledger, since, entries(ledger))));
    }
    if (!round.hasNext()) {
      order = found;
      found = new TrimOrder();
    }
  }

  private long entries(LedgerId ledger) {
    return ledgers.head(ledger).seq() - ledgers.start(ledger).seq();
  }

  /** Runs one transaction; returns how many entries it removed, 0 if nothing is due. */
  private int trimOldest() {
    int gone = 0;
    Aged next;
    while (gone == 0 && (next = due()) != null) {
      Aged first = next;
      gone = trim(first);
      boolean isTrimmed = gone > 0;
      long left = first.entries() - gone;
      // A ledger that lost nothing has only its newest batch, which stays. The next round asks
      // again.
      ledgers
          .oldest(first.ledger())
          .filter(since -> isTrimmed || since.isAfter(first.since()))
          .ifPresent(since -> order.add(new Aged(first.ledger(), since, left)));
    }
    return gone;
  }

  private @Nullable Aged due() {
    Aged oldest = order.oldest();
    if (oldest != null && oldest.since().isBefore(horizon())) {
      return oldest;
    }
    return isTooMuch() ? order.ofLargest() : null;
  }

  private Instant horizon() {
    return wall.instant().minus(retention);
  }

  /** Takes a ledger out of the order and trims it. */
  private int trim(Aged first) {
    Instant horizon = horizon();
    boolean isOld = first.since().isBefore(horizon);
    int topic = first.ledger().topicId();
    int most = isOld ? BATCHES : batches(order.excessOf(topic));
    order.remove(first);
    int gone = ledgers.trim(first.ledger(), isOld ? horizon : nextOf(topic), most);
    if (gone > 0) {
      if (!isOld) {
        tell();
      }
      measure();
    }
    return gone;
  }

  private static int batches(long entries) {
    return (int) Math.max(1, Math.min(BATCHES, entries / A_BATCH));
  }

  /** The time before which entries are the topic's oldest. */
  private Instant nextOf(int topic) {
    Instant next = order.oldestOf(topic);
    return next.equals(Instant.MAX) ? next : next.plus(TOGETHER);
  }

  private void tell() {
    if (!isTold) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "The ledgers take {0} bytes, more than retention.ledger_bytes: from now on the oldest"
              + " entries of the largest topics are removed before retention.ledger is over",
          bytes.count());
    }
  }

  private Iterator<LedgerId> ledgers() {
    return topics.get().stream().flatMap(LedgerRetention::ledgers).iterator();
  }

  /** Includes the ledgers of closed shards. */
  private static Stream<LedgerId> ledgers(Topic topic) {
    return IntStream.range(0, topic.state().madeShards())
        .mapToObj(shard -> new LedgerId(topic.id(), shard));
  }
}
