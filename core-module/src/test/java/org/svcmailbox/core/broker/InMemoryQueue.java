package org.svcmailbox.core.broker;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;

/** One shard's queue in memory, guarded by its {@link InMemoryBroker}. */
final class InMemoryQueue {
  /** A queued message; a null {@code message} stands for an unreadable one. */
  static final class Held {
    final @Nullable StoredMessage message;
    final Instant readySince;
    final boolean wasDelayed;

    /** When it came to its queue, among others; 0 before. */
    private long record;

    Held(@Nullable StoredMessage message, Instant readySince, boolean wasDelayed) {
      this.message = message;
      this.readySince = readySince;
      this.wasDelayed = wasDelayed;
    }

    boolean isOver(BrokerSession.Lifetime lifetime) {
      StoredMessage readable = message;
      return readable != null && lifetime.isOver(readySince, readable.expiresAt());
    }

    /** An approximation: what changes during a message's life changes its size. */
    long bytes() {
      return message == null ? UNREADABLE_BYTES : bytes(message);
    }

    static long bytes(StoredMessage message) {
      String error = message.lastError();
      return 100L + message.payload().size() + (error == null ? 0 : error.length());
    }
  }

  private static final long UNREADABLE_BYTES = 7;

  private record Scheduled(Instant due, long ordinal, Held held) {}

  private final Deque<Held> ready = new ArrayDeque<>();
  private final PriorityQueue<Scheduled> scheduled =
      new PriorityQueue<>(
          Comparator.comparing(Scheduled::due).thenComparingLong(Scheduled::ordinal));
  private final Map<InMemoryBrokerSession, Runnable> watches = new HashMap<>();
  private long ordinals;
  private long records;
  private int delivering;
  private long deliveringBytes;

  void addLast(Held held) {
    record(held);
    ready.addLast(held);
  }

  private void record(Held held) {
    if (held.record == 0) {
      held.record = ++records;
    }
  }

  /** Orders ready messages as a journal does: what entered at the head is at the tail. */
  void reload() {
    List<Held> all = new ArrayList<>(ready);
    all.sort(Comparator.comparingLong(held -> held.record));
    ready.clear();
    ready.addAll(all);
  }

  void schedule(Held held, Instant due) {
    record(held);
    scheduled.add(new Scheduled(due, ordinals++, held));
  }

  /** Moves due messages to the head, the earliest first. */
  void wake(Instant now) {
    List<Held> due = new ArrayList<>();
    for (Scheduled next = scheduled.peek();
        next != null && !next.due().isAfter(now);
        next = scheduled.peek()) {
      scheduled.poll();
      due.add(next.held());
    }
    addFirst(due);
  }

  /** Returns how many. */
  int removeScheduled() {
    int removed = scheduled.size();
    scheduled.clear();
    return removed;
  }

  Stream<ScheduledMessage> scheduled() {
    return scheduled.stream()
        .map(
            one -> {
              StoredMessage message = requireNonNull(one.held().message);
              return new ScheduledMessage(message.envelope(), one.due(), message.lastError());
            });
  }

  /** Scheduled and ready messages that can be read. */
  Stream<QueuedMessage> queued() {
    return Stream.concat(
        scheduled.stream().map(one -> queued(one.held(), one.due(), true)),
        ready.stream()
            .filter(held -> held.message != null)
            .map(held -> queued(held, held.readySince, false)));
  }

  static QueuedMessage queued(Held held, Instant since, boolean isScheduled) {
    StoredMessage message = requireNonNull(held.message);
    return new QueuedMessage(
        message.envelope(), since, isScheduled, message.lastError(), message.history());
  }

  /** Whether it was there. */
  boolean removeScheduled(MsgId msgId, Instant now) {
    return scheduled.removeIf(
        one ->
            one.due().isAfter(now)
                && requireNonNull(one.held().message).envelope().msgId().equals(msgId));
  }

  Stream<Held> resting() {
    return Stream.concat(ready.stream(), scheduled.stream().map(Scheduled::held));
  }

  @Nullable Held take() {
    Held next = ready.pollFirst();
    if (next != null) {
      delivering++;
      deliveringBytes += next.bytes();
    }
    return next;
  }

  /** Takes at most {@code max} whose time is over out of the first {@code within}. */
  List<Held> take(int within, int max, BrokerSession.Lifetime lifetime) {
    List<Held> over =
        ready.stream().limit(within).filter(held -> held.isOver(lifetime)).limit(max).toList();
    for (Held held : over) {
      ready.removeFirstOccurrence(held);
      delivering++;
      deliveringBytes += held.bytes();
    }
    return over;
  }

  void ended(Held held) {
    delivering--;
    deliveringBytes -= held.bytes();
  }

  /** Takes delivered messages back, in the given order. */
  void giveBack(List<Held> held) {
    held.forEach(this::ended);
    addFirst(held);
  }

  void addFirst(List<Held> held) {
    held.forEach(this::record);
    for (int i = held.size() - 1; i >= 0; i--) {
      ready.addFirst(held.get(i));
    }
  }

  long bytes() {
    return deliveringBytes + resting().mapToLong(Held::bytes).sum();
  }

  void watch(InMemoryBrokerSession session, Runnable arrived) {
    watches.put(session, arrived);
  }

  Stream<Runnable> watchOf(InMemoryBrokerSession session) {
    return Stream.ofNullable(watches.get(session));
  }

  void unwatch(InMemoryBrokerSession session) {
    watches.remove(session);
  }

  /** Watches to fire now; each is returned once. */
  List<Runnable> firing() {
    if (ready.isEmpty() || watches.isEmpty()) {
      return List.of();
    }
    List<Runnable> firing = List.copyOf(watches.values());
    watches.clear();
    return firing;
  }

  Broker.QueueCounts counts(Instant now) {
    Held first = ready.peekFirst();
    long age = first == null ? 0 : now.toEpochMilli() - first.readySince.toEpochMilli();
    long messages = (long) ready.size() + scheduled.size() + delivering;
    return new Broker.QueueCounts(messages, scheduled.size(), Math.max(0, age));
  }
}
