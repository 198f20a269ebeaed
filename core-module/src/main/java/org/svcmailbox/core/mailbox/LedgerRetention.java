package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.settings.MailboxSettings.Retention;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;

/**
 * Trims the ledgers: removes entries older than the retention, the oldest ones while the ledgers
 * exceed their bytes, and all of deleted topics. A step takes a bounded time; the next one
 * continues. One thread.
 *
 * <p>Which ledger has the oldest entries is known from rounds in which each is asked. In between it
 * can only have become younger, which shows when its turn has come.
 */
final class LedgerRetention {
  private static final Logger LOG = System.getLogger(LedgerRetention.class.getName());

  /** Ledgers asked in one step. */
  static final int ASKED = 100;

  /** Batches' entries removed in one transaction: it keeps SENDs waiting for some milliseconds. */
  static final int BATCHES = 200;

  /** Batches closer in age than this go in any order, so that one transaction takes many. */
  static final Duration TOGETHER = Duration.ofMinutes(1);

  /** How long a step may remove, of deleted topics and of others. */
  private static final Duration MOST = Duration.ofMillis(300);

  /** Between the beginnings of two rounds, at least. */
  private static final Duration ROUND = Duration.ofMinutes(1);

  private record Aged(LedgerId ledger, Instant since) {}

  private final SendLog log;
  private final Supplier<List<Topic>> topics;
  private final Duration retention;
  private final InstantSource wall;
  private final Ticker ticker;
  private final Purge purge;
  private final CapacityLimit bytes;
  private PriorityQueue<Aged> oldestFirst = queue();
  private PriorityQueue<Aged> found = queue();
  private Iterator<LedgerId> round = Collections.emptyIterator();
  private long roundBegan;
  private boolean isTold;

  /**
   * @param bytes what the ledgers take and may take
   */
  LedgerRetention(
      SendLog log,
      Supplier<List<Topic>> topics,
      Retention retention,
      CapacityLimit bytes,
      InstantSource wall,
      Ticker ticker) {
    this.log = log;
    this.topics = topics;
    this.retention = retention.ledger();
    this.bytes = bytes;
    this.wall = wall;
    this.ticker = ticker;
    this.purge = new Purge(ticker, MOST);
    this.roundBegan = ticker.nanos() - ROUND.toNanos();
  }

  private static PriorityQueue<Aged> queue() {
    return new PriorityQueue<>(Comparator.comparing(Aged::since));
  }

  /** Removes some of what is due; returns how many entries of ledgers that go on. */
  long step() {
    purge.run(() -> log.sweepDeleted(BATCHES));
    ask();
    measure();
    return purge.run(this::trimOldest);
  }

  private void measure() {
    bytes.recount(log.ledgerBytes());
  }

  private boolean isTooMuch() {
    return bytes.count() > bytes.capacity();
  }

  /** Goes on with the round; when it is through, what it found replaces what was known. */
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
      oldest(ledger).ifPresent(since -> found.add(new Aged(ledger, since)));
    }
    if (!round.hasNext()) {
      oldestFirst = found;
      found = queue();
    }
  }

  private Optional<Instant> oldest(LedgerId ledger) {
    return log.ledgerOldest(ledger);
  }

  /** One transaction; returns how many entries went, 0 when nothing is due. */
  private int trimOldest() {
    int gone = 0;
    while (gone == 0 && isDue(oldestFirst.peek())) {
      Aged first = oldestFirst.remove();
      gone = trim(first.ledger());
      boolean isTrimmed = gone > 0;
      // An unchanged ledger has only its newest batch left, which stays; the next round asks again.
      oldest(first.ledger())
          .filter(since -> isTrimmed || since.isAfter(first.since()))
          .ifPresent(since -> oldestFirst.add(new Aged(first.ledger(), since)));
    }
    return gone;
  }

  private boolean isDue(@Nullable Aged first) {
    return first != null && (isTooMuch() || first.since().isBefore(horizon()));
  }

  private Instant horizon() {
    return wall.instant().minus(retention);
  }

  /** Trims the ledger with the oldest entries, which was taken from the queue. */
  private int trim(LedgerId ledger) {
    boolean isCutShort = isTooMuch();
    Instant before = isCutShort ? latest(horizon(), next()) : horizon();
    int gone = log.trimLedger(ledger, before, BATCHES);
    if (isCutShort && gone > 0) {
      tell();
      measure();
    }
    return gone;
  }

  /** Entries from before this moment are the oldest of all ledgers. */
  private Instant next() {
    Aged next = oldestFirst.peek();
    return next == null ? Instant.MAX : next.since().plus(TOGETHER);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private void tell() {
    if (!isTold) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "The ledgers take {0} bytes, more than retention.ledger_bytes: from now on their oldest"
              + " entries go before retention.ledger is over",
          bytes.count());
    }
  }

  private Iterator<LedgerId> ledgers() {
    return topics.get().stream().flatMap(LedgerRetention::ledgers).iterator();
  }

  /** Includes closed shards. */
  private static Stream<LedgerId> ledgers(Topic topic) {
    return IntStream.range(0, topic.state().madeShards())
        .mapToObj(shard -> new LedgerId(topic.id(), shard));
  }
}
