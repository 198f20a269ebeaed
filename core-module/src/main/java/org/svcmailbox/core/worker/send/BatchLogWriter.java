package org.svcmailbox.core.worker.send;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.GroupTakeover;
import org.svcmailbox.core.batch.GroupTakeover.State;
import org.svcmailbox.core.batch.Projector;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.SessionLog;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Writes a group's batch log. It accepts a batch only when the group is held, the log's oldest
 * entry has arrived, and the database follows.
 */
final class BatchLogWriter {
  private static final Logger LOG = System.getLogger(BatchLogWriter.class.getName());

  /** After this time, a log that is not whole is reported. */
  private static final long TELL_AFTER = Duration.ofSeconds(1).toNanos();

  /** After this time, it will hardly become whole by itself. */
  private static final long STUCK_AFTER = Duration.ofSeconds(10).toNanos();

  /**
   * The longest wait of a step for log entries or for the database; later steps only check. The
   * worker's RECVs and ACKs wait meanwhile.
   */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** How often a log that is not whole is checked. */
  private static final long LOOK_EVERY = Duration.ofMillis(20).toNanos();

  private final WorkerContext context;
  private final SendRegistry registry;
  private final Projector projector;
  private final BatchLogPorts ports;
  private final WorkerId group;
  private final GroupTakeover takeover;
  private final ProjectionOutage outage;
  private final long stamp;
  private BatchLog log;
  private @Nullable SessionLog held;
  private long openedAt;
  private volatile @Nullable String unknown = Refusal.SETTLING;
  private Duration firstLook = PATIENCE;
  private boolean looked;
  private boolean isLoading;
  private boolean isTold;
  private volatile boolean stuck;
  private boolean oldestIsLate;
  private boolean staged;

  BatchLogWriter(WorkerContext context, BatchLogPorts ports, WorkerId group) {
    this.context = context;
    this.registry = ports.registry();
    this.projector = registry.projector();
    this.ports = ports;
    this.group = group;
    this.takeover = new GroupTakeover(group, registry);
    this.outage = new ProjectionOutage(group, context::now);
    this.stamp = context.ports().random().nextLong();
    this.log = ports.log();
  }

  /** Begins with a new session, which waits for the log of a group that is to be here. */
  void opened() {
    if (ports.here().wants(group)) {
      attach(ports.here().isAlone() ? PATIENCE : Duration.ZERO);
    } else {
      leave();
    }
  }

  /**
   * Waits for the log in the present session, while the other groups go on.
   *
   * @throws UnavailableException also if there is no such log
   */
  void attach() {
    if (takeover.state() == State.AWAY) {
      attach(Duration.ZERO);
    }
  }

  /**
   * As above.
   *
   * @param first how long the worker waits at its first look
   */
  private void attach(Duration first) {
    held = context.session().log(group);
    log = ports.log();
    takeover.attached(log);
    unknown = Refusal.SETTLING;
    openedAt = context.now();
    firstLook = first;
    looked = false;
    isTold = false;
    stuck = false;
    oldestIsLate = false;
    staged = false;
  }

  /** Gives the log away, after the group's shards. Only between transactions. */
  void release() {
    SessionLog released = held;
    if (takeover.state() != State.AWAY && released != null) {
      released.release();
    }
    leave();
  }

  /** Forgets the group, which another process may have from now on. */
  private void leave() {
    held = null;
    takeover.released();
    unknown = Refusals.NOT_HERE;
    stuck = false;
    staged = false;
    context.limits().keysCounted(registry.countKeys());
  }

  /** Whether the log has an entry of this process behind those of all others. */
  boolean mayServe() {
    return takeover.state() == State.LOADING || takeover.state() == State.HELD;
  }

  /** The number of the entry that opened the group here. */
  long epoch() {
    return takeover.epoch();
  }

  /** The leases that came with the group when it was opened here last. */
  List<ByteBuffer> handedOver() {
    return takeover.handedOver();
  }

  /** Whether SENDs are accepted. Any thread. */
  boolean isHeld() {
    return unknown == null;
  }

  /** Why the group is closed; empty if it is not. Any thread. */
  String trouble() {
    return takeover.trouble();
  }

  void onCommit() {
    if (staged) {
      staged = false;
      registry.resolve(group, log.lastBatch());
      projector.release(group, log.oldestBatch());
    }
  }

  /**
   * Whether the outcome of every earlier session's transactions is known, or another process's
   * matter. Any thread.
   */
  boolean isResolved() {
    return isHeld() || Refusals.NOT_HERE.equals(unknown);
  }

  /** Whether SENDs have been refused for longer than a transaction takes to end. Any thread. */
  boolean isStuck() {
    return stuck;
  }

  /** How many nanoseconds the worker may sleep, at most {@code atMost}. */
  long untilNextLook(long atMost) {
    return isResolved() ? atMost : Math.min(atMost, LOOK_EVERY);
  }

  /** The group whose log this writes. */
  WorkerId group() {
    return group;
  }

  /**
   * The reason to refuse SENDs, as of the last {@link #awaitOutcomes}; null if the group is held.
   */
  @Nullable String unknown() {
    return unknown;
  }

  /**
   * Takes the entries that have arrived, and takes the group over as far as they permit. Only
   * between transactions.
   *
   * @return the reason to refuse SENDs; null once the group is held
   */
  @Nullable String awaitOutcomes() {
    if (isResolved()) {
      return unknown;
    }
    receive(looked ? Duration.ZERO : firstLook);
    takeover.damaged(held().damaged());
    for (BatchLog.Change change = change(); change != null; change = change()) {
      held().stage(change);
      context.commit();
      takeover.opened(change);
      isLoading = true;
    }
    if (isLoading && takeover.state() == State.HELD) {
      isLoading = false;
      context.limits().keysCounted(registry.countKeys());
    }
    unknown =
        switch (takeover.state()) {
          case HELD -> null;
          case CLOSED -> "store_mismatch";
          default -> Refusal.SETTLING;
        };
    tell();
    looked = true;
    return unknown;
  }

  /** The next change of the log; null also while the database is away. */
  private BatchLog.@Nullable Change change() {
    try {
      return takeover.next();
    } catch (UnavailableException e) {
      return null;
    }
  }

  /**
   * Waits briefly until a batch of this many SENDs can be appended.
   *
   * @return the reason to refuse them; null if there is room
   */
  @Nullable String awaitRoom(int sends) {
    if (!awaitOldest()) {
      return Refusal.SETTLING;
    }
    if (!awaitDatabase()) {
      outage.refused(sends);
      return "log_full";
    }
    outage.served();
    return null;
  }

  /** The id of the batch that {@link #stage} appends. */
  BatchId next() {
    return new BatchId(log.lastBatch().number() + 1, stamp);
  }

  /** Stages the record of a batch in the broker's transaction. */
  void stage(BatchPages pages) {
    staged = true;
    held().stage(log.append(next(), pages, projector.applied(group)));
  }

  /** Whether the log takes leases now. Only between transactions. */
  boolean takesLeases() {
    return awaitOutcomes() == null && awaitOldest() && awaitDatabase();
  }

  /**
   * Stages leases for the group's next life as the newest entries.
   *
   * @param leases the entries' bodies
   */
  void stageHandover(List<ByteBuffer> leases) {
    held().stage(log.handOver(leases, projector.applied(group)));
  }

  private void receive(Duration atMost) {
    log.receive(held()::receive, context.ports().ticker()::nanos, atMost);
  }

  private SessionLog held() {
    context.moved();
    return requireNonNull(held);
  }

  /** Returns whether the oldest entry has arrived. Usually it arrived long before. */
  private boolean awaitOldest() {
    receive(oldestIsLate ? Duration.ZERO : PATIENCE);
    boolean has = log.hasOldest();
    if (!has && !oldestIsLate) {
      LOG.log(
          Level.WARNING,
          "Group {0} takes no SENDs: the broker has not delivered the entries of its log",
          group);
    }
    oldestIsLate = !has;
    return has;
  }

  /**
   * Returns whether the oldest entry can go, because the database has its batch, and the database
   * is not too far behind.
   */
  private boolean awaitDatabase() {
    if (projector.pendingBytes(group) >= ports.window().bytes()) {
      return false;
    }
    if (log.hasRoom(projector.applied(group))) {
      return true;
    }
    return !outage.isFull()
        && projector.awaitBatch(group, log.batchToApply(), PATIENCE)
        && log.hasRoom(projector.applied(group));
  }

  /** Says nothing of a log that only takes a moment to arrive. */
  private void tell() {
    if (isHeld() && looked) {
      // The batch in doubt may have changed the queues since the session was opened.
      context.recount();
    }
    if (takeover.state() != State.ATTACHING || isElsewhere()) {
      endTold();
      return;
    }
    if (!isTold && context.now() - openedAt >= TELL_AFTER) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "Group {0} takes no SENDs: an earlier transaction has not ended in the broker",
          group);
    }
    if (!stuck && context.now() - openedAt >= STUCK_AFTER) {
      stuck = true;
      LOG.log(
          Level.ERROR,
          "Group {0} still takes no SENDs: restart the broker if the transaction does not end",
          group);
    }
  }

  /** Whether another process may still have the log: none of it has arrived. */
  private boolean isElsewhere() {
    return !ports.here().isAlone() && log.isEmpty();
  }

  /** The transaction has ended. The group may still wait for the database, or be closed. */
  private void endTold() {
    stuck = false;
    if (isTold && isHeld()) {
      isTold = false;
      LOG.log(Level.INFO, "Group {0} takes SENDs again: the earlier transaction has ended", group);
    }
  }
}
