package org.svcmailbox.core.sendlog;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.SendLogStore.Advance;
import org.svcmailbox.core.sendlog.SendLogStore.MovedException;

/**
 * Writes confirmed batches into the database: in order, each once, those of all workers in one
 * transaction. A batch is taken by {@link #add} and stays here until its entry has left the
 * worker's log, so that it can be applied again to a database that fell back.
 *
 * <p>The outcome of a transaction that failed is unknown. The next step asks the database for the
 * last batch of each worker and goes on behind it. An earlier transaction may still commit after
 * that; it then holds the workers' rows, and the compare-and-set of the next one waits and finds
 * them moved.
 *
 * <p>One thread calls {@link #step}; all else is for any thread.
 */
final class Projector {
  private static final Logger LOG = System.getLogger(Projector.class.getName());

  /** Bytes of pages in one transaction, but for a single batch that has more. */
  static final long MOST_BYTES = 1 << 20;

  /** The pause in which batches gather: each transaction costs a sync, which nobody waits for. */
  static final Duration GATHERING = Duration.ofMillis(20);

  /** The pause after a failure. */
  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  /** A database that is behind for longer is in trouble. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How often the database may be elsewhere in a row before {@link #drain} gives up. */
  private static final int MOST_MOVES = 5;

  /** The longest sleep; {@link #add} ends it. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  /** A confirmed batch, its pages of keys, and when it was confirmed. */
  record Confirmed(Batch batch, List<KeyPage> keys, long since) {
    int bytes() {
      return batch.pages().size();
    }
  }

  /** The batches of one worker. */
  private static final class Lane {
    private final Deque<Confirmed> applied = new ArrayDeque<>();
    private final Deque<Confirmed> pending = new ArrayDeque<>();
    private BatchId position = BatchId.NONE;
    private long bytes;
    private boolean isBroken;

    void add(Confirmed batch) {
      pending.addLast(batch);
      bytes += batch.bytes();
    }

    Confirmed applyFirst() {
      Confirmed first = pending.removeFirst();
      bytes -= first.bytes();
      applied.addLast(first);
      position = first.batch().id();
      return first;
    }

    void fallBack() {
      Confirmed last = applied.removeLast();
      pending.addFirst(last);
      bytes += last.bytes();
    }

    boolean has(Deque<Confirmed> where, BatchId id) {
      return where.stream().anyMatch(one -> one.batch().id().equals(id));
    }
  }

  private final SendLogStore store;
  private final ReservedKeys keys;
  private final LongSupplier nanos;

  /** By worker. Guarded by this, as all that follows. */
  private final NavigableMap<Integer, Lane> lanes = new TreeMap<>();

  private long added;
  private long appliedCount;
  private boolean isUncertain;
  private boolean isHurried;
  private String failure = "";
  private long failures;
  private Runnable wake = () -> {};

  Projector(SendLogStore store, ReservedKeys keys, LongSupplier nanos) {
    this.store = store;
    this.keys = keys;
    this.nanos = nanos;
  }

  /** Ends the sleep of the thread that steps. */
  synchronized void onWork(Runnable wakeUp) {
    wake = wakeUp;
  }

  /** Begins a worker's lane behind what the database has. */
  synchronized void begin(int worker, BatchId position, List<Batch> logged) {
    Lane lane = new Lane();
    lane.position = position;
    lanes.put(worker, lane);
    for (Batch batch : logged) {
      Confirmed confirmed = new Confirmed(batch, List.of(), nanos.getAsLong());
      if (batch.id().number() <= position.number()) {
        lane.applied.addLast(confirmed);
      } else {
        lane.add(confirmed);
        added++;
      }
    }
  }

  /** Takes a batch that the broker has; it follows the worker's last. */
  synchronized void add(Batch batch, List<KeyPage> pages) {
    boolean wasIdle = pendingBytes() == 0;
    lane(batch.worker()).add(new Confirmed(batch, pages, nanos.getAsLong()));
    added++;
    if (wasIdle || pendingBytes() >= MOST_BYTES) {
      wake.run();
    }
  }

  private Lane lane(int worker) {
    return lanes.computeIfAbsent(worker, none -> new Lane());
  }

  /** The last batch of a worker that the database is known to have. */
  synchronized BatchId applied(int worker) {
    return lane(worker).position;
  }

  /** Bytes of a worker's batches that the database does not have. */
  synchronized long pendingBytes(int worker) {
    return lane(worker).bytes;
  }

  /** A worker's log has nothing left of batches before this one. */
  synchronized void release(int worker, BatchId oldest) {
    Deque<Confirmed> applied = lane(worker).applied;
    while (!applied.isEmpty() && applied.peekFirst().batch().id().number() < oldest.number()) {
      applied.removeFirst();
    }
  }

  /** Topics that batches name that the database does not have. */
  synchronized Set<Integer> pendingTopics() {
    return topics(lanes.values().stream().flatMap(lane -> lane.pending.stream()));
  }

  /**
   * Does what is due.
   *
   * @return nanoseconds until there is more to do
   */
  long step() {
    long due = untilDue();
    if (due > 0) {
      // A database that is mended may have what the log reaches back to.
      uncertain(isUncertain() || (due == IDLE.toNanos() && broken() > 0));
      return due;
    }
    try {
      return project() ? untilDue() : GATHERING.toNanos();
    } catch (UnavailableException e) {
      failed(String.valueOf(e.getMessage()));
      return AFTER_FAILURE.toNanos();
    }
  }

  private synchronized long untilDue() {
    long oldest = Long.MAX_VALUE;
    long bytes = 0;
    for (Lane lane : lanes.values()) {
      if (!lane.pending.isEmpty() && !lane.isBroken) {
        oldest = Math.min(oldest, lane.pending.getFirst().since() - nanos.getAsLong());
      }
      bytes += lane.isBroken ? 0 : lane.bytes;
    }
    if (isUncertain || isHurried || bytes >= MOST_BYTES) {
      return 0;
    }
    return oldest == Long.MAX_VALUE ? IDLE.toNanos() : Math.max(0, oldest + GATHERING.toNanos());
  }

  /**
   * Applies batches until the database has all that there are now, but for those of workers whose
   * position it does not know.
   *
   * @throws UnavailableException when the database is away
   */
  void drain() {
    int moves = 0;
    while (hasPending()) {
      moves = project() ? 0 : moves + 1;
      if (moves > MOST_MOVES) {
        throw new UnavailableException("another process writes the send log");
      }
    }
  }

  private synchronized boolean hasPending() {
    return lanes.values().stream().anyMatch(lane -> !lane.isBroken && !lane.pending.isEmpty());
  }

  /** One transaction; returns whether the database was where this thought it was. */
  private boolean project() {
    if (isUncertain()) {
      findPositions();
    }
    List<Advance> advances = next();
    if (advances.isEmpty()) {
      return true;
    }
    uncertain(true);
    try {
      store.apply(advances);
    } catch (MovedException e) {
      LOG.log(Level.WARNING, "The projection goes on elsewhere: {0}", e.getMessage());
      return false;
    }
    uncertain(false);
    advances.forEach(this::applied);
    succeeded();
    return true;
  }

  private synchronized boolean isUncertain() {
    return isUncertain;
  }

  /** Until a transaction has returned, whether it happened is unknown. */
  private synchronized void uncertain(boolean is) {
    isUncertain = is;
  }

  private synchronized List<Advance> next() {
    isHurried = false;
    List<Advance> advances = new ArrayList<>();
    long[] bytes = {0};
    Predicate<Confirmed> fits = one -> (bytes[0] == 0 ? 0 : bytes[0] + one.bytes()) <= MOST_BYTES;
    lanes.forEach(
        (worker, lane) -> {
          List<Batch> batches = new ArrayList<>();
          for (Confirmed one : lane.isBroken ? new ArrayDeque<Confirmed>() : lane.pending) {
            if (!fits.test(one)) {
              break;
            }
            bytes[0] += one.bytes();
            batches.add(one.batch());
          }
          if (!batches.isEmpty()) {
            advances.add(new Advance(worker, lane.position, batches));
          }
        });
    return advances;
  }

  private synchronized void applied(Advance advance) {
    applyUpTo(lane(advance.worker()), advance.to());
  }

  private synchronized void applyUpTo(Lane lane, BatchId last) {
    while (!lane.position.equals(last)) {
      keys.applied(lane.applyFirst().keys());
      appliedCount++;
    }
    notifyAll();
  }

  /** Learns which batches the database has. */
  private void findPositions() {
    List<Integer> workers;
    synchronized (this) {
      workers = List.copyOf(lanes.keySet());
    }
    for (int worker : workers) {
      BatchId position = store.applied(worker);
      Set<Integer> topics = topicsBehind(worker, position);
      found(worker, position, topics.isEmpty() ? topics : store.unknownTopics(topics));
    }
    uncertain(false);
  }

  /** Topics that a database which fell back to {@code position} must still know. */
  private synchronized Set<Integer> topicsBehind(int worker, BatchId position) {
    Lane lane = lane(worker);
    return lane.has(lane.applied, position)
        ? topics(lane.applied.stream().filter(one -> isBehind(one, position)))
        : Set.of();
  }

  private static boolean isBehind(Confirmed one, BatchId position) {
    return one.batch().id().number() > position.number();
  }

  private static Set<Integer> topics(Stream<Confirmed> batches) {
    return batches
        .flatMap(one -> one.batch().pages().ledgers().stream())
        .map(page -> page.ledger().topicId())
        .collect(Collectors.toSet());
  }

  private synchronized void found(int worker, BatchId position, Set<Integer> lostTopics) {
    Lane lane = lane(worker);
    boolean wasBroken = lane.isBroken;
    lane.isBroken = false;
    if (lane.position.equals(position)) {
      return;
    }
    if (lane.has(lane.pending, position)) {
      applyUpTo(lane, position);
    } else if (lane.has(lane.applied, position) && lostTopics.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "The database fell back to batch {0} of worker {1}; later ones are applied again",
          position.number(),
          worker);
      while (!lane.applied.getLast().batch().id().equals(position)) {
        lane.fallBack();
        appliedCount--;
      }
      lane.position = position;
    } else {
      lane.isBroken = true;
      if (!wasBroken) {
        LOG.log(
            Level.ERROR,
            "The database has batch {0} of worker {1}, which the log does not reach back to. Restart"
                + " the server: the start says what is lost and how to accept it",
            position.number(),
            worker);
      }
    }
  }

  private synchronized void failed(String why) {
    failures++;
    if (failure.isEmpty()) {
      LOG.log(Level.WARNING, "The database falls behind: {0}", why);
    }
    failure = why;
  }

  private synchronized void succeeded() {
    if (!failure.isEmpty()) {
      LOG.log(Level.INFO, "The database catches up, {0} batches are left", added - appliedCount);
    }
    failure = "";
  }

  /**
   * Waits until the database has every batch that was added before this call.
   *
   * @return whether it has
   */
  synchronized boolean await(Duration atMost) throws InterruptedException {
    long wanted = added;
    return await(atMost, () -> appliedCount >= wanted);
  }

  /** Waits until the database has a worker's batch, which is projected at once. */
  synchronized boolean await(Duration atMost, int worker, long batchNo)
      throws InterruptedException {
    return await(atMost, () -> lane(worker).position.number() >= batchNo);
  }

  private boolean await(Duration atMost, BooleanSupplier done) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (!done.getAsBoolean() && left > 0) {
      isHurried = true;
      wake.run();
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = until - System.nanoTime();
    }
    return done.getAsBoolean();
  }

  private synchronized long pendingBytes() {
    return lanes.values().stream().mapToLong(lane -> lane.bytes).sum();
  }

  private synchronized long lag() {
    return added - appliedCount;
  }

  private synchronized double lagSeconds() {
    long now = nanos.getAsLong();
    long since =
        lanes.values().stream()
            .filter(lane -> !lane.pending.isEmpty())
            .mapToLong(lane -> now - lane.pending.getFirst().since())
            .max()
            .orElse(0);
    return since / 1e9;
  }

  private synchronized int broken() {
    return (int) lanes.values().stream().filter(lane -> lane.isBroken).count();
  }

  /** Why the database does not follow, in an operator's words; empty if it does. */
  synchronized String trouble() {
    if (broken() > 0) {
      return "the database fell back behind the logs of "
          + broken()
          + " workers; restart the server";
    }
    double seconds = lagSeconds();
    return seconds < PATIENCE.toSeconds()
        ? ""
        : "the database is %d batches behind, for %.0f s%s"
            .formatted(lag(), seconds, failure.isEmpty() ? "" : ": " + failure);
  }

  List<Metric> metrics() {
    return List.of(
        Family.PROJECTION_LAG_BATCHES.of(this::lag),
        Family.PROJECTION_LAG_BYTES.of(this::pendingBytes),
        Family.PROJECTION_LAG_SECONDS.ofDouble(this::lagSeconds),
        Family.PROJECTION_FAILURES_TOTAL.of(this::failures),
        Family.PROJECTION_BROKEN.of(this::broken));
  }

  private synchronized long failures() {
    return failures;
  }
}
