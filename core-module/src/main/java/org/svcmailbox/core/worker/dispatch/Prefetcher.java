package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Prefetches ready messages, up to a number and size per shard. */
public final class Prefetcher {
  private static final int MAX_PREFETCHED = 256;

  private static final long MAX_PREFETCHED_BYTES = 1L << 20;

  private static final int FETCH = 16;

  /** Prefetched messages at which the search for a returning one ends. */
  private static final int LOOK_AHEAD = 2048;

  /** Prefetched payload bytes at which that search ends. */
  static final long LOOK_AHEAD_BYTES = 4L << 20;

  /** Prefetched messages of all the worker's shards at which a takeover stops searching. */
  private static final int TAKE_OUT = 20_000;

  /** Their payload bytes. */
  private static final long TAKE_OUT_BYTES = 32L << 20;

  private static final long BELIEVE_EMPTY = Duration.ofMillis(50).toNanos();
  private static final long RETURN_PATIENCE = Duration.ofSeconds(1).toNanos();

  private final WorkerContext context;
  private final ReadyTopics ready;

  public Prefetcher(WorkerContext context, ReadyTopics ready) {
    this.context = context;
    this.ready = ready;
  }

  static boolean isFull(ShardState shard) {
    return shard.prefetched().bytes() >= MAX_PREFETCHED_BYTES;
  }

  /**
   * Prefetches as far as there is room. If {@code certain}, an empty buffer proves that the queue
   * is empty.
   */
  void fill(ShardState shard, boolean certain) {
    long now = context.now();
    shard.receivingAt(now);
    MsgId overdue = shard.overdue(now, RETURN_PATIENCE);
    if (overdue != null) {
      fetchUntil(shard, overdue, LOOK_AHEAD);
    }
    if (certain && shard.isKnownEmpty(now)) {
      return;
    }
    prefetch(shard, certain && shard.prefetched().isEmpty());
  }

  /** Finds a ready message in the buffer or the queue; null if there is none. */
  public @Nullable Delivery find(ShardState shard, MsgId msgId) {
    Delivery prefetched = shard.prefetched().find(msgId);
    if (prefetched != null) {
      return prefetched;
    }
    shard.receivingAt(context.now());
    fetchUntil(shard, msgId, MAX_PREFETCHED);
    ready.add(shard.id().topic());
    return shard.prefetched().find(msgId);
  }

  public List<Delivery> peek(ShardState shard, int most) {
    fill(shard, true);
    // Ready messages may still be on their way from the broker.
    int got = FETCH;
    while (got > 0 && shard.prefetched().size() < most && !isFull(shard)) {
      got = fetch(shard, FETCH, true).size();
    }
    return shard.prefetched().first(most).toList();
  }

  /** Removes ready messages from the buffer, which the caller must end. */
  public List<Delivery> takeAway(ShardState shard, int most) {
    shard.receivingAt(context.now());
    int got = FETCH;
    while (got == FETCH && shard.prefetched().size() < most && !isFull(shard)) {
      got = fetch(shard, FETCH, shard.prefetched().isEmpty()).size();
    }
    List<Delivery> taken = shard.prefetched().first(most).toList();
    taken.forEach(shard.prefetched()::remove);
    return taken;
  }

  /**
   * Searches a shard until the broker has nothing ready, and removes the messages that {@code
   * wanted} accepts from the buffer. The others stay in it, in order.
   *
   * @param isOver whether nothing more is wanted
   * @return how many messages the broker delivered
   */
  public long takeOut(ShardState shard, Predicate<Delivery> wanted, BooleanSupplier isOver) {
    shard.receivingAt(context.now());
    long fetched = 0;
    int got = 1;
    while (got > 0 && !isOver.getAsBoolean() && hasRoomToTakeOut(shard)) {
      BrokerSession.Fetched next = fetchAll(shard, FETCH, true);
      next.deliveries().stream().filter(wanted).forEach(shard.prefetched()::remove);
      got = next.deliveries().size() + next.leftOut().size();
      fetched += got;
    }
    ready.add(shard.id().topic());
    return fetched;
  }

  /**
   * Whether a takeover may search a shard further: always at its head, and beyond it up to a limit.
   */
  public boolean hasRoomToTakeOut(ShardState shard) {
    return hasRoomToSearch(shard) || holdsLittle();
  }

  private boolean holdsLittle() {
    long messages = 0;
    long bytes = 0;
    for (ShardState shard : context.shards()) {
      messages += shard.prefetched().size();
      bytes += shard.prefetched().bytes();
    }
    return messages < TAKE_OUT && bytes < TAKE_OUT_BYTES;
  }

  private void prefetch(ShardState shard, boolean certain) {
    boolean more = true;
    while (more && shard.prefetched().size() < MAX_PREFETCHED && !isFull(shard)) {
      boolean sure = certain && shard.prefetched().isEmpty();
      int got = fetch(shard, FETCH, sure).size();
      more = got == FETCH;
      if (got == 0 && sure) {
        shard.emptyUntil(context.now() + BELIEVE_EMPTY);
      }
    }
  }

  /** Fetches one by one, so that a search ends with the message that reaches a limit. */
  private void fetchUntil(ShardState shard, MsgId wanted, int most) {
    boolean isOver = shard.prefetched().find(wanted) != null;
    for (int fetched = 0; !isOver && fetched < most && hasRoomToSearch(shard); fetched++) {
      List<Delivery> next = fetch(shard, 1, true);
      isOver = next.isEmpty() || next.get(0).message().envelope().msgId().equals(wanted);
    }
  }

  private static boolean hasRoomToSearch(ShardState shard) {
    return shard.prefetched().size() < LOOK_AHEAD && shard.prefetched().bytes() < LOOK_AHEAD_BYTES;
  }

  /** Takes expired messages that the broker delivered and that are not yet in the buffer. */
  void fetchExpired(ShardState shard, int most, BrokerSession.Lifetime lifetime) {
    if (!shard.isWatching() && hasRoomToSearch(shard)) {
      arrived(shard, context.session().fetchExpired(shard.id(), most, lifetime));
    }
  }

  private List<Delivery> fetch(ShardState shard, int most, boolean certain) {
    return fetchAll(shard, most, certain).deliveries();
  }

  private BrokerSession.Fetched fetchAll(ShardState shard, int most, boolean certain) {
    BrokerSession.Fetched fetched = context.session().fetch(shard.id(), most, certain);
    arrived(shard, fetched);
    if (shard.isWatching()) {
      // A fetch ends the watch. This step serves the calls or starts a new watch.
      shard.watching(false);
      ready.add(shard.id().topic());
    }
    return fetched;
  }

  private void arrived(ShardState shard, BrokerSession.Fetched fetched) {
    for (Delivery delivery : fetched.deliveries()) {
      if (context.holds(shard, delivery)) {
        putAway(shard, delivery);
      } else {
        shard.arrived(delivery);
      }
    }
    for (BrokerSession.LeftOut one : fetched.leftOut()) {
      context.workerMetrics().quarantined(one.reason(), 1);
      context.counts().died(shard, one.reason(), one.bytes());
    }
  }

  /**
   * One message must not have two leases. A worker that failed because of it would meet it again.
   */
  private void putAway(ShardState shard, Delivery second) {
    Quarantine why = Quarantine.duplicate(second.message().envelope().attempt() - 1);
    context.workerMetrics().quarantined(why.reason(), 1);
    Duration kept = context.ports().topics().letterRetention(shard.id().topic());
    context.quarantine(shard, second, why, kept);
  }
}
