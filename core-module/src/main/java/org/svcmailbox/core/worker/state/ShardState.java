package org.svcmailbox.core.worker.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.time.DeadlineQueue;
import org.svcmailbox.core.topic.ShardId;

/** A worker's state of one shard, rebuilt after a crash. */
public final class ShardState {
  /** A message that is on its way back to its place. */
  private record Returning(MsgId msgId, long due) {}

  private final ShardId id;
  private final ShardCounters counters;
  private final PrefetchBuffer prefetched = new PrefetchBuffer();
  private final Map<MsgId, Returning> returning = new HashMap<>();
  private final DeadlineQueue<Returning> returningByDue = new DeadlineQueue<>();
  private @Nullable ReorderDepth order;
  private boolean receiving;
  private boolean watching;
  private int leases;
  private long lastRecv;
  private long emptyUntil;
  private boolean knownEmpty;

  ShardState(ShardId id, ShardCounters counters) {
    this.id = id;
    this.counters = counters;
  }

  public ShardId id() {
    return id;
  }

  public PrefetchBuffer prefetched() {
    return prefetched;
  }

  public ShardCounters counters() {
    return counters;
  }

  public void handedOut(Delivery delivery) {
    Envelope envelope = delivery.message().envelope();
    if (envelope.attempt() == 1 && !delivery.wasDelayed()) {
      counters.reordered(order().handedOut(envelope.seq()));
    }
  }

  private ReorderDepth order() {
    ReorderDepth kept = order;
    if (kept == null) {
      kept = new ReorderDepth();
      order = kept;
    }
    return kept;
  }

  void leased() {
    leases++;
    counters.inflight(1);
  }

  void unleased() {
    leases--;
  }

  /** Records a request to the broker for this shard's messages. */
  public void receivingAt(long now) {
    receiving = true;
    lastRecv = now;
  }

  public boolean isReceiving() {
    return receiving;
  }

  /** Publishes the age of the oldest prefetched message. */
  public void tell() {
    Delivery first = prefetched.first();
    counters.prefetchedSince(first == null ? Long.MAX_VALUE : first.readySince().toEpochMilli());
  }

  public boolean isLeased() {
    return leases > 0;
  }

  public boolean isIdleSince(long moment) {
    return receiving && leases == 0 && !watching && lastRecv - moment < 0;
  }

  public boolean isWatching() {
    return watching;
  }

  public void watching(boolean now) {
    watching = now;
  }

  /** Records the broker's certain answer that nothing is ready; valid until {@code until}. */
  public void emptyUntil(long until) {
    knownEmpty = true;
    emptyUntil = until;
  }

  public void mayHaveMessages() {
    knownEmpty = false;
  }

  public boolean isKnownEmpty(long now) {
    return knownEmpty && emptyUntil - now > 0;
  }

  /** Tracks a returning message, unless {@code most} are tracked already. */
  public void expectReturn(MsgId msgId, long due, int most) {
    mayHaveMessages();
    if (returning.size() < most) {
      Returning entry = new Returning(msgId, due);
      returning.put(msgId, entry);
      returningByDue.add(due, entry);
    }
  }

  public void arrived(Delivery delivery) {
    returning.remove(delivery.message().envelope().msgId());
    prefetched.add(delivery);
  }

  public boolean isReturning(MsgId msgId) {
    return returning.containsKey(msgId);
  }

  /** The first message that should be back by now; forgets messages that are long overdue. */
  public @Nullable MsgId overdue(long now, long patience) {
    Returning first;
    while ((first = returningByDue.peek()) != null && first.due() - now <= 0) {
      boolean waiting = first.equals(returning.get(first.msgId()));
      if (waiting && now - first.due() < patience) {
        return first.msgId();
      }
      returningByDue.removeFirst();
      returning.remove(first.msgId(), first);
    }
    return null;
  }

  /** Called when the session no longer receives from this shard. */
  public void released() {
    prefetched.clear();
    receiving = false;
    watching = false;
    knownEmpty = false;
  }

  /** Called when the session is lost: returning messages are then in the queue like any others. */
  public void broken() {
    released();
    returning.clear();
    returningByDue.clear();
  }
}
