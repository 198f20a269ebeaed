package org.svcmailbox.core.broker;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.InMemoryQueue.Held;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.ExpiryPolicy;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;

/** A session of {@link InMemoryBroker}: staged steps that run at the commit, under its lock. */
final class InMemoryBrokerSession implements BrokerSession {
  private record InMemoryDelivery(
      ShardId shard, Held held, StoredMessage message, AtomicBoolean checked) implements Delivery {
    InMemoryDelivery(ShardId shard, Held held, StoredMessage message) {
      this(shard, held, message, new AtomicBoolean());
    }

    @Override
    public boolean isVerified() {
      return checked.get();
    }

    @Override
    public void verified() {
      checked.set(true);
    }

    @Override
    public Instant readySince() {
      return held.readySince;
    }

    @Override
    public long bytes() {
      return held.bytes();
    }

    @Override
    public boolean wasDelayed() {
      return held.wasDelayed;
    }
  }

  private final InMemoryBroker broker;
  private final List<Runnable> staged = new ArrayList<>();
  private final Set<Held> endStaged = new LinkedHashSet<>();
  private final Map<ShardId, Set<Held>> held = new LinkedHashMap<>();
  private final Set<LetterAddress> letters = new LinkedHashSet<>();
  private final Map<WorkerId, InMemorySessionLog> logs = new TreeMap<>();
  private final List<LetterAddress> acknowledgedLetters = new ArrayList<>();
  private final Instant since;
  private boolean doomed;
  private boolean broken;

  /** Whether the broker has ended it, and nothing has told it so. */
  private boolean isUnaware;

  InMemoryBrokerSession(InMemoryBroker broker) {
    this.broker = broker;
    this.since = Timestamps.truncated(broker.now());
  }

  @Override
  public boolean hasQueue(ShardId shard) {
    // An answer may be a second old.
    boolean[] has = {isUnaware};
    used(() -> has[0] = broker.has(shard));
    return has[0];
  }

  /** This broker sorts at once, unless a test says otherwise. */
  @Override
  public boolean hasUndeliverable() {
    return broker.hasUndeliverable();
  }

  @Override
  public long enqueue(ShardId shard, StoredMessage message, @Nullable Instant deliverAt) {
    staging(() -> stage(() -> add(shard, message, deliverAt), shard));
    return Held.bytes(message);
  }

  @Override
  public void acknowledge(Delivery delivery) {
    staging(() -> end(delivery));
  }

  @Override
  public long redeliver(
      Delivery delivery, MessageEvent failure, Instant deliverAt, Instant expiresAt) {
    staging(
        () -> {
          InMemoryDelivery mine = end(delivery);
          StoredMessage successor = mine.message().failed(failure, expiresAt);
          stage(() -> add(mine.shard(), successor, deliverAt), mine.shard());
        });
    return Held.bytes(delivery.message().failed(failure, expiresAt));
  }

  @Override
  public void prolong(Delivery delivery, Instant expiresAt) {
    staging(
        () -> {
          InMemoryDelivery mine = end(delivery);
          StoredMessage same = mine.message().returned(mine.message().lastError(), expiresAt);
          Held head = new Held(same, broker.now(), true);
          stage(() -> broker.queue(mine.shard()).addFirst(List.of(head)), mine.shard());
        });
  }

  @Override
  public void quarantine(Delivery delivery, Quarantine why, Instant expiresAt) {
    staging(
        () -> {
          InMemoryDelivery mine = end(delivery);
          StoredMessage dead = mine.message().dead(why, expiresAt);
          ObservedLetter letter = new ObservedLetter(dead, why, expiresAt);
          stage(() -> broker.deadLetter(mine.shard().topic(), letter), mine.shard());
        });
  }

  @Override
  public boolean takeLetter(LetterAddress letter) {
    boolean[] taken = new boolean[1];
    asking(() -> taken[0] = broker.holdLetter(letter) && letters.add(letter));
    return taken[0];
  }

  @Override
  public void acknowledgeLetter(LetterAddress letter) {
    if (!letters.contains(letter)) {
      throw new IllegalStateException("not held: " + letter);
    }
    staging(
        () -> {
          acknowledgedLetters.add(letter);
          staged.add(() -> broker.endLetter(letter));
        });
  }

  @Override
  public void returnLetters() {
    used(
        () -> {
          letters.forEach(broker::releaseLetter);
          letters.clear();
        });
  }

  @Override
  public SessionLog log(WorkerId worker) {
    asking(
        () -> {
          InMemorySessionLog present = logs.get(worker);
          if (present == null || present.isReleased()) {
            InMemorySessionLog waiting = new InMemorySessionLog(this, broker, worker);
            broker.attach(waiting);
            logs.put(worker, waiting);
          }
        });
    return requireNonNull(logs.get(worker));
  }

  /** Takes back the log entries that this session believes it holds. */
  void loseLogs() {
    logs.values().forEach(InMemorySessionLog::lose);
  }

  /** Stages a step, under the lock. */
  void stage(Runnable step) {
    staged.add(step);
  }

  /** Has the commit fail. */
  void doom() {
    doomed = true;
  }

  void requireNothingStaged() {
    if (!staged.isEmpty()) {
      throw new IllegalStateException("inside a transaction");
    }
  }

  @Override
  public boolean commit() {
    if (staged.isEmpty()) {
      used(() -> {});
      return false;
    }
    broker.await(InMemoryBroker.Call.COMMIT);
    asking(
        () -> {
          try {
            if (doomed) {
              throw new UnavailableException("an acknowledgement found nothing");
            }
            broker.commit(new Transaction(List.copyOf(staged)));
          } catch (UnavailableException e) {
            broken = true;
            throw e;
          } finally {
            staged.clear();
            endStaged.clear();
            logs.values().forEach(InMemorySessionLog::ended);
            acknowledgedLetters.clear();
          }
        });
    return true;
  }

  @Override
  public void ask() {
    requireNothingStaged();
    broker.await(InMemoryBroker.Call.ASK);
    asking(() -> {});
  }

  /** The shards of which it holds messages. */
  Set<ShardId> held() {
    return held.keySet();
  }

  void learn() {
    isUnaware = false;
  }

  boolean isUnaware() {
    return isUnaware;
  }

  /** Has the session not learn that the broker has ended it. */
  void unaware() {
    isUnaware = true;
  }

  /** The staged steps; they outlive a session that does not know their outcome. */
  private final class Transaction implements OpenTransaction {
    private final List<Runnable> steps;
    private final Map<ShardId, Set<Held>> ending = new LinkedHashMap<>();
    private final Map<WorkerId, List<BatchLogEntry>> entries = new TreeMap<>();
    private final List<LetterAddress> ended = new ArrayList<>();

    Transaction(List<Runnable> steps) {
      this.steps = steps;
    }

    @Override
    public void commit() {
      steps.forEach(Runnable::run);
    }

    @Override
    public boolean hasBatch() {
      return logs.values().stream().anyMatch(InMemorySessionLog::hasStaged);
    }

    @Override
    public void detach() {
      held.forEach((shard, mine) -> ending.put(shard, endingOf(mine)));
      logs.forEach((worker, log) -> entries.put(worker, log.detach()));
      ended.addAll(acknowledgedLetters);
      acknowledgedLetters.forEach(letters::remove);
    }

    private Set<Held> endingOf(Set<Held> mine) {
      Set<Held> both = new LinkedHashSet<>(mine);
      both.retainAll(endStaged);
      mine.removeAll(both);
      return both;
    }

    @Override
    public void rollBack() {
      ending.forEach(InMemoryBrokerSession.this::giveBack);
      entries.forEach(
          (worker, mine) -> mine.forEach(entry -> broker.log(worker).put(entry.number(), entry)));
      ended.forEach(broker::releaseLetter);
    }

    @Override
    public Stream<Held> detached() {
      return ending.entrySet().stream()
          .filter(entry -> broker.has(entry.getKey()))
          .flatMap(entry -> entry.getValue().stream());
    }
  }

  @Override
  public Fetched fetch(ShardId shard, int max, boolean certain) {
    broker.await(InMemoryBroker.Call.FETCH);
    if (max < 1) {
      throw new IllegalArgumentException("max " + max);
    }
    List<Delivery> taken = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    Runnable fetching =
        () -> {
          InMemoryQueue queue = broker.queue(shard);
          queue.unwatch(this);
          if (broker.isReadingBack()) {
            return;
          }
          for (Held next = queue.take(); next != null; next = queue.take()) {
            held.computeIfAbsent(shard, s -> new LinkedHashSet<>()).add(next);
            if (next.message == null) {
              deadLetterUnreadable(shard, next);
              leftOut.add(new LeftOut(DeadLetterReason.UNREADABLE, next.bytes()));
              continue;
            }
            if (!next.message.expiresAt().isAfter(broker.now())) {
              next = expire(shard, next, next.message);
              if (next == null) {
                continue;
              }
            }
            taken.add(new InMemoryDelivery(shard, next, requireNonNull(next.message)));
            if (taken.size() == max) {
              break;
            }
          }
        };
    if (certain) {
      asking(fetching);
    } else {
      used(fetching);
    }
    return new Fetched(taken, leftOut);
  }

  /** Looks at as many as {@link InMemoryBroker#handOver} says. */
  @Override
  public Fetched fetchExpired(ShardId shard, int max, Lifetime lifetime) {
    List<Delivery> taken = new ArrayList<>();
    used(
        () -> {
          for (Held over : broker.queue(shard).take(broker.handedOver(), max, lifetime)) {
            held.computeIfAbsent(shard, s -> new LinkedHashSet<>()).add(over);
            taken.add(new InMemoryDelivery(shard, over, requireNonNull(over.message)));
          }
        });
    return new Fetched(taken, List.of());
  }

  @Override
  public void watch(ShardId shard, Runnable arrived) {
    used(() -> broker.queue(shard).watch(this, arrived));
  }

  @Override
  public void release(ShardId shard) {
    used(
        () -> {
          requireNothingStaged();
          giveBack(shard);
        });
  }

  @Override
  public void fail() {
    broker.sessionFailed();
    close();
  }

  @Override
  public void close() {
    isUnaware = false;
    broker.locked(
        () -> {
          broker.end(this);
          return null;
        });
  }

  Stream<Held> delivering() {
    return held.values().stream().flatMap(Set::stream);
  }

  Stream<Runnable> watches() {
    return broker.queues().flatMap(queue -> queue.watchOf(this));
  }

  /** Ends the session: nothing staged happens, and its messages are ready again. */
  void giveEverythingBack() {
    staged.clear();
    endStaged.clear();
    loseLogs();
    letters.forEach(broker::releaseLetter);
    letters.clear();
    broker.queues().forEach(queue -> queue.unwatch(this));
    List.copyOf(held.keySet()).forEach(this::giveBack);
  }

  private void giveBack(ShardId shard) {
    Set<Held> mine = held.remove(shard);
    if (broker.has(shard)) {
      broker.queue(shard).unwatch(this);
      giveBack(shard, mine == null ? Set.of() : mine);
    }
  }

  private void giveBack(ShardId shard, Set<Held> mine) {
    if (broker.has(shard)) {
      broker.queue(shard).giveBack(List.copyOf(mine));
    }
  }

  private void deadLetterUnreadable(ShardId shard, Held unreadable) {
    Quarantine why = new Quarantine(DeadLetterReason.UNREADABLE, 0, "planted by a test");
    Instant expiresAt = broker.now().plus(InMemoryBroker.UNREADABLE_RETENTION);
    stageEnd(shard, unreadable);
    stage(() -> broker.deadLetter(shard.topic(), new ObservedLetter(null, why, expiresAt)), shard);
  }

  /**
   * At once, whatever becomes of the transaction, like the broker and the sorter. Returns the
   * message if it has a new life instead.
   */
  private @Nullable Held expire(ShardId shard, Held expired, StoredMessage message) {
    held.getOrDefault(shard, Set.of()).remove(expired);
    broker.queue(shard).ended(expired);
    Instant end = ExpiryPolicy.end(expired.readySince, message.expiresAt(), since);
    String note = ExpiryPolicy.note(expired.readySince, since, message.lastError());
    if (end.isAfter(broker.now())) {
      return take(shard, new Held(message.returned(note, end), broker.now(), true));
    }
    Quarantine why = Quarantine.expired(message.envelope().attempt() - 1, note);
    Instant keptUntil = broker.now().plus(InMemoryBroker.UNREADABLE_RETENTION);
    broker.deadLetter(
        shard.topic(), new ObservedLetter(message.dead(why, keptUntil), why, keptUntil));
    return null;
  }

  private Held take(ShardId shard, Held returned) {
    broker.queue(shard).addFirst(List.of(returned));
    Held taken = requireNonNull(broker.queue(shard).take());
    held.computeIfAbsent(shard, s -> new LinkedHashSet<>()).add(taken);
    return taken;
  }

  private InMemoryDelivery end(Delivery delivery) {
    if (!(delivery instanceof InMemoryDelivery mine)
        || !held.getOrDefault(mine.shard(), Set.of()).contains(mine.held())
        || endStaged.contains(mine.held())) {
      throw new IllegalStateException("not delivered by this session, or ended before");
    }
    stageEnd(mine.shard(), mine.held());
    return mine;
  }

  private void stageEnd(ShardId shard, Held ended) {
    endStaged.add(ended);
    stage(
        () -> {
          held.getOrDefault(shard, Set.of()).remove(ended);
          broker.queue(shard).ended(ended);
        },
        shard);
  }

  /** Stages a step that needs the shard's queue, which may be gone by the commit. */
  private void stage(Runnable step, ShardId shard) {
    broker.queue(shard);
    staged.add(
        () -> {
          if (broker.has(shard)) {
            step.run();
          }
        });
  }

  private void add(ShardId shard, StoredMessage message, @Nullable Instant deliverAt) {
    if (deliverAt == null) {
      broker.queue(shard).addLast(new Held(message, broker.now(), false));
      return;
    }
    broker.queue(shard).schedule(new Held(message, deliverAt, true), deliverAt);
  }

  /** Runs work that stages something. */
  void staging(Runnable work) {
    if (isUnaware) {
      staged.add(() -> {});
    }
    used(work);
  }

  /** Runs work that the broker has to answer. */
  private void asking(Runnable work) {
    isUnaware = false;
    used(work);
  }

  /** Runs work under the lock, while the session is open or believes so. */
  void used(Runnable work) {
    broker.locked(
        () -> {
          if (isUnaware) {
            return null;
          }
          if (broken || !broker.isOpen(this)) {
            throw new UnavailableException("the session is closed or broken");
          }
          work.run();
          return null;
        });
  }
}
