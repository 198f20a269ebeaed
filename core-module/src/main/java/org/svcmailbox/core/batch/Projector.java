package org.svcmailbox.core.batch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.svcmailbox.core.batch.ProjectionLane.ConfirmedBatch;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Writes confirmed batches into the database: in order, each once, those of all workers in one
 * transaction. A batch stays here until its entry has left the batch log, so that it can be applied
 * again if the database fell back to an earlier state.
 *
 * <p>The outcome of a failed transaction is unknown, so the next step asks the database for each
 * worker's last batch and continues after it. The failed transaction may still commit after that.
 * It then holds the workers' rows, and the compare-and-set of the next one waits and finds them
 * moved. Another process may write the same batches for a moment, in the same order. So a projector
 * that finds the database moved asks again and continues from there.
 *
 * <p>One thread calls {@link #step}; any thread calls everything else.
 */
public final class Projector {
  private static final Logger LOG = System.getLogger(Projector.class.getName());

  /** Bytes of pages in one transaction; a single larger batch may exceed it. */
  static final long MOST_BYTES = 1 << 20;

  /**
   * The pause in which batches gather, because each transaction costs a sync. No caller waits for
   * it.
   */
  static final Duration GATHERING = Duration.ofMillis(20);

  /** How often the database is asked for its position, and whether it still refuses a batch. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  /** A database that lags for longer is reported as trouble. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How often in a row the database may move in vain before {@link #drain} gives up. */
  private static final int MOST_MOVES = 5;

  /** The longest sleep; {@link #add} ends it. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final ProjectionStore store;
  private final ReservedKeys keys;
  private final LongSupplier nanos;
  private volatile Runnable wake = () -> {};

  /** By worker. Guarded by this object, like all following fields. */
  private final NavigableMap<WorkerId, ProjectionLane> lanes = new TreeMap<>();

  private long most = MOST_BYTES;
  private long lookedAt;
  private boolean isUncertain;

  /**
   * Whether only a regular check made it uncertain, and nothing suggests that the database fell
   * back.
   */
  private boolean isRoutine;

  private boolean isHurried;
  private String failure = "";
  private long failures;
  private Consumer<Set<Integer>> topics = named -> {};

  Projector(ProjectionStore store, ReservedKeys keys, LongSupplier nanos) {
    this.store = store;
    this.keys = keys;
    this.nanos = nanos;
    this.lookedAt = nanos.getAsLong();
  }

  /** Sets the action that wakes the stepping thread. */
  public void onWork(Runnable wakeUp) {
    wake = wakeUp;
  }

  /**
   * Has {@code restore} called with the topics that batches name whenever the database may have
   * fallen back. It brings the table of topics up to date, or throws {@link UnavailableException}.
   */
  public synchronized void onDoubt(Consumer<Set<Integer>> restore) {
    topics = restore;
  }

  /** Makes the next step check whether the database fell back. */
  public synchronized void doubt() {
    uncertain(true);
    wake.run();
  }

  /**
   * Creates a worker's lane at the database's position.
   *
   * @param oldest the batch of the log's oldest entry
   */
  void begin(WorkerId worker, BatchId oldest, BatchId position, List<Batch> logged) {
    beginLane(worker, oldest, position, logged);
    wake.run();
  }

  private synchronized void beginLane(
      WorkerId worker, BatchId oldest, BatchId position, List<Batch> logged) {
    ProjectionLane lane = new ProjectionLane(worker, oldest, position);
    lanes.put(worker, lane);
    logged.forEach(batch -> lane.add(confirmed(batch, List.of(), /* isReplayed= */ true)));
  }

  /**
   * Drops a worker's lane, because another process may have its log by now. A transaction that is
   * under way may still write batches of it, which is no harm: the other process has the same ones.
   */
  synchronized void forget(WorkerId worker) {
    lanes.remove(worker);
    notifyAll();
  }

  /** Adds a confirmed batch, which follows the worker's last. */
  void add(Batch batch, List<KeyPage> pages) {
    // A thread that is woken under the lock would wait for it at once.
    if (addAndTell(batch, pages)) {
      wake.run();
    }
  }

  /** Returns whether the stepping thread must know. */
  private synchronized boolean addAndTell(Batch batch, List<KeyPage> pages) {
    boolean wasIdle = lag() == 0;
    lanes
        .computeIfAbsent(batch.worker(), Projector::empty)
        .add(confirmed(batch, pages, /* isReplayed= */ false));
    return wasIdle || pendingBytes() >= MOST_BYTES;
  }

  private ConfirmedBatch confirmed(Batch batch, List<KeyPage> pages, boolean isReplayed) {
    return new ConfirmedBatch(batch, pages, nanos.getAsLong(), isReplayed);
  }

  private static ProjectionLane empty(WorkerId worker) {
    return new ProjectionLane(worker, BatchId.NONE, BatchId.NONE);
  }

  /** A worker's lane; an empty one that is kept nowhere if there is none. */
  private ProjectionLane lane(WorkerId worker) {
    ProjectionLane lane = lanes.get(worker);
    return lane == null ? empty(worker) : lane;
  }

  /** The last batch of a worker that the database is known to have. */
  public synchronized BatchId applied(WorkerId worker) {
    return lane(worker).position();
  }

  /** Bytes of a worker's batches that the database lacks. */
  public synchronized long pendingBytes(WorkerId worker) {
    return lane(worker).bytes();
  }

  /** Records that a worker's batch log no longer contains any batch before this one. */
  public synchronized void release(WorkerId worker, BatchId oldest) {
    lane(worker).release(oldest);
  }

  synchronized Set<Integer> pendingTopics() {
    return lanes.values().stream()
        .flatMap(lane -> lane.pendingTopics().stream())
        .collect(Collectors.toSet());
  }

  /**
   * Does what is due.
   *
   * @return nanoseconds until there is more to do
   */
  public long step() {
    lookNowAndThen();
    try {
      long due = untilDue();
      return due > 0 ? due : projectOnce();
    } catch (UnavailableException e) {
      // When the database comes back, it may be another one.
      uncertain(true);
      if (hasDue()) {
        failed(Causes.text(e));
      }
      return AFTER_FAILURE.toNanos();
    }
  }

  private long projectOnce() {
    return switch (project()) {
      case DONE -> untilDue();
      case MOVED -> GATHERING.toNanos();
      case NOTHING -> Math.max(GATHERING.toNanos(), untilDue());
    };
  }

  /**
   * Makes this step check the database's position once it is time. While nothing is written, no
   * transaction reveals that the database fell back, or that it was mended.
   */
  private synchronized void lookNowAndThen() {
    long now = nanos.getAsLong();
    if (now - lookedAt >= LOOK.toNanos()) {
      lookedAt = now;
      isRoutine = !isUncertain;
      isUncertain = true;
      lanes.values().forEach(ProjectionLane::retry);
    }
  }

  private synchronized long untilDue() {
    if (isUncertain || isHurried || (pendingBytes() >= MOST_BYTES && hasDue())) {
      return 0;
    }
    long now = nanos.getAsLong();
    return lanes.values().stream()
        .filter(ProjectionLane::isDue)
        .mapToLong(lane -> Math.max(0, lane.since() + GATHERING.toNanos() - now))
        .min()
        .orElse(IDLE.toNanos());
  }

  /**
   * Applies batches until the database has all that exist now, except those of broken lanes. A
   * database that another process moves along the same batches is followed to the end.
   */
  public void drain() {
    long fewest = lag();
    int inVain = 0;
    while (hasNext()) {
      inVain = project() == Turn.MOVED ? inVain + 1 : 0;
      if (lag() < fewest) {
        fewest = lag();
        inVain = 0;
      }
      if (inVain > MOST_MOVES) {
        throw new UnavailableException("the database moves and lacks as many batches as before");
      }
    }
  }

  private synchronized boolean hasDue() {
    return lanes.values().stream().anyMatch(ProjectionLane::isDue);
  }

  /** Whether a batch can be applied: it is due and does not depend on a refused one. */
  private synchronized boolean hasNext() {
    return !ProjectionPlan.of(lanes.values(), /* most= */ 0).isEmpty();
  }

  /** The result of one turn. */
  private enum Turn {
    /** The database was at the expected position. */
    DONE,
    /** The database was at another position. */
    MOVED,
    /** There was nothing to apply. */
    NOTHING
  }

  private Turn project() {
    if (isUncertain()) {
      findPositions();
    }
    List<Advance> advances = next();
    if (advances.isEmpty()) {
      return Turn.NOTHING;
    }
    uncertain(true);
    try {
      store.apply(advances);
    } catch (MovedException e) {
      LOG.log(Level.WARNING, "The projection continues from another batch: {0}", e.getMessage());
      return Turn.MOVED;
    } catch (BatchRefusedException e) {
      refused(advances, Causes.text(e));
      return Turn.DONE;
    }
    uncertain(false);
    advances.forEach(advance -> applied(advance.worker(), advance.to()));
    succeeded();
    return Turn.DONE;
  }

  /** Halves transactions until the refused batch is alone; then only its worker waits. */
  private synchronized void refused(List<Advance> advances, String why) {
    failures++;
    if (advances.size() > 1 || advances.get(0).batches().size() > 1) {
      most = Math.min(most, bytes(advances)) / 2;
      return;
    }
    most = MOST_BYTES;
    ProjectionLane lane = lane(advances.get(0).worker());
    if (lane.refuse(advances.get(0).to(), why)) {
      lane.refused()
          .ifPresent(
              batch ->
                  LOG.log(
                      Level.ERROR,
                      "The projection of worker {0} stops: {1}",
                      batch.worker(),
                      batch.detail()));
    }
  }

  private static long bytes(List<Advance> advances) {
    return advances.stream()
        .flatMap(advance -> advance.batches().stream())
        .mapToLong(batch -> batch.pages().size())
        .sum();
  }

  /** The refused batches, at most one per worker. */
  synchronized List<RefusedBatch> refused() {
    return lanes.values().stream().flatMap(lane -> lane.refused().stream()).toList();
  }

  /** Continues after a refused batch, without the part that the database refuses. */
  void pass(RefusedBatch refused) {
    refused.pass(store, applied(refused.worker()));
    applied(refused.worker(), refused.batch().id());
  }

  private synchronized boolean isUncertain() {
    return isUncertain;
  }

  /** Whether a transaction took effect is unknown until it has returned. */
  private synchronized void uncertain(boolean is) {
    isUncertain = is;
    isRoutine = false;
  }

  private synchronized List<Advance> next() {
    isHurried = false;
    for (ProjectionLane lane : lanes.values()) {
      if (lane.isOnTrial()) {
        return List.of(lane.trial());
      }
    }
    return ProjectionPlan.of(lanes.values(), most);
  }

  /** Does nothing for a lane that was dropped, or began again, since the database was asked. */
  private synchronized void applied(WorkerId worker, BatchId last) {
    ProjectionLane lane = lane(worker);
    if (lane.isOnCourse(last)) {
      keys.applied(lane.applyUpTo(last));
      notifyAll();
    }
  }

  private void findPositions() {
    Map<ProjectionLane, BatchId> found = new LinkedHashMap<>();
    lanes().forEach(lane -> found.put(lane, store.applied(lane.worker())));
    if (mayHaveFallenBack(found)) {
      // First, because a database that does not know a batch's topics cannot take the batch.
      topicsRestore().accept(topics());
    }
    found.forEach(this::meet);
    uncertain(false);
  }

  private synchronized boolean mayHaveFallenBack(Map<ProjectionLane, BatchId> found) {
    return !isRoutine
        || found.entrySet().stream().anyMatch(one -> !one.getKey().isOnCourse(one.getValue()));
  }

  private void meet(ProjectionLane lane, BatchId found) {
    Set<Integer> topics = topicsBehind(lane, found);
    meet(lane, found, topics.isEmpty() ? topics : store.unknownTopics(topics));
  }

  private synchronized Consumer<Set<Integer>> topicsRestore() {
    return topics;
  }

  private synchronized Set<Integer> topics() {
    return lanes.values().stream()
        .flatMap(lane -> lane.topics().stream())
        .collect(Collectors.toSet());
  }

  private synchronized List<ProjectionLane> lanes() {
    return List.copyOf(lanes.values());
  }

  private synchronized Set<Integer> topicsBehind(ProjectionLane lane, BatchId found) {
    return lane.topicsBehind(found);
  }

  /** Leaves a lane alone that began again since the database was asked: the answer may be older. */
  private synchronized void meet(ProjectionLane lane, BatchId found, Set<Integer> lostTopics) {
    WorkerId worker = lane.worker();
    if (lane(worker) != lane) {
      return;
    }
    boolean wasLost = lane.isLost();
    switch (lane.meet(found, lostTopics)) {
      case ON_COURSE -> applied(worker, found);
      case FELL_BACK ->
          LOG.log(
              Level.WARNING,
              "The database fell back to batch {0} of worker {1}; later ones are applied again",
              found.number(),
              worker);
      case BEYOND -> {
        if (!wasLost) {
          LOG.log(
              Level.ERROR,
              "The database has batch {0} of worker {1}, which follows all that are here: another"
                  + " process writes them, or the broker lost them. Nothing is written for the"
                  + " worker; if no other process has its log, restart the server",
              found.number(),
              worker);
        }
      }
      case LOST -> {
        if (!wasLost) {
          LOG.log(
              Level.ERROR,
              "The database has batch {0} as the last of worker {1}, which the log cannot continue."
                  + " Restart the server: the start says what is lost and how to accept it",
              found.number(),
              worker);
        }
      }
    }
  }

  private synchronized void failed(String why) {
    failures++;
    if (failure.isEmpty()) {
      LOG.log(Level.WARNING, "The database falls behind; SENDs stop once a log is full: {0}", why);
    }
    failure = why;
  }

  private synchronized void succeeded() {
    most = Math.min(MOST_BYTES, Math.max(1, 2 * most));
    if (!failure.isEmpty()) {
      LOG.log(Level.INFO, "The database catches up, {0} batches are left", lag());
    }
    failure = "";
  }

  /**
   * Waits until the database has every batch that was added before this call, except those of
   * broken lanes.
   *
   * @return whether it has
   */
  public synchronized boolean awaitAll(Duration atMost) {
    Map<WorkerId, Long> wanted = numbers(ProjectionLane::lastNumber);
    return await(
        atMost,
        () ->
            wanted.entrySet().stream()
                .allMatch(
                    one ->
                        lane(one.getKey()).isBroken() || hasApplied(one.getKey(), one.getValue())));
  }

  /**
   * Waits until the database has every page of a ledger that was added before this call.
   *
   * @return whether it has
   */
  synchronized boolean awaitLedger(LedgerId ledger, Duration atMost) {
    Map<WorkerId, Long> wanted = numbers(lane -> lane.lastNumber(ledger));
    return await(
        atMost,
        () -> wanted.entrySet().stream().allMatch(one -> hasApplied(one.getKey(), one.getValue())));
  }

  /** A batch number for each lane. */
  private Map<WorkerId, Long> numbers(ToLongFunction<ProjectionLane> number) {
    return lanes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, lane -> number.applyAsLong(lane.getValue())));
  }

  /** Waits until the database has a worker's batch; the batch is projected at once. */
  public synchronized boolean awaitBatch(WorkerId worker, long batchNo, Duration atMost) {
    return await(atMost, () -> hasApplied(worker, batchNo));
  }

  private boolean hasApplied(WorkerId worker, long batchNo) {
    return lane(worker).position().number() >= batchNo;
  }

  private boolean await(Duration atMost, BooleanSupplier done) {
    long until = System.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    try {
      while (!done.getAsBoolean() && left > 0) {
        isHurried = true;
        wake.run();
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = until - System.nanoTime();
      }
      return done.getAsBoolean();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Why the database does not follow, for operators; empty if it does. */
  public synchronized String trouble() {
    long overtaken = sum(lane -> lane.isOvertaken() ? 1 : 0);
    long lost = sum(lane -> lane.isLost() ? 1 : 0) - overtaken;
    if (lost > 0) {
      return "the database fell back behind the logs of %d workers; restart the server"
          .formatted(lost);
    }
    if (overtaken > 0) {
      return "the database has later batches of %d workers than this server; restart the server"
              .formatted(overtaken)
          + " unless another one has their logs";
    }
    List<RefusedBatch> refused = refused();
    if (!refused.isEmpty()) {
      return refused.stream().map(RefusedBatch::detail).collect(Collectors.joining("; "));
    }
    double seconds = lagSeconds();
    return seconds < PATIENCE.toSeconds()
        ? ""
        : "the database is %d batches behind, for %.0f s%s"
            .formatted(lag(), seconds, failure.isEmpty() ? "" : ": " + failure);
  }

  /** How far the database is behind. */
  public List<Metric> metrics() {
    return List.of(
        Family.PROJECTION_LAG_BATCHES.of(this::lag),
        Family.PROJECTION_LAG_BYTES.of(this::pendingBytes),
        Family.PROJECTION_LAG_SECONDS.ofDouble(this::lagSeconds),
        Family.PROJECTION_FAILURES_TOTAL.of(this::failures),
        Family.PROJECTION_BROKEN.of(this::broken));
  }

  private long lag() {
    return sum(ProjectionLane::size);
  }

  private long pendingBytes() {
    return sum(ProjectionLane::bytes);
  }

  private long broken() {
    return sum(lane -> lane.isBroken() ? 1 : 0);
  }

  private synchronized long sum(ToLongFunction<ProjectionLane> figure) {
    return lanes.values().stream().mapToLong(figure).sum();
  }

  private synchronized double lagSeconds() {
    long now = nanos.getAsLong();
    return lanes.values().stream()
            .filter(lane -> lane.size() > 0)
            .mapToLong(lane -> now - lane.since())
            .max()
            .orElse(0)
        / 1e9;
  }

  private synchronized long failures() {
    return failures;
  }
}
