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
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.batch.Projector;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoreMismatchException;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.SessionLog;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Writes a worker's batch log. It accepts a batch only when the outcome of every earlier one is
 * known, its oldest entry has arrived, and the database follows.
 */
public final class BatchLogWriter {
  private static final Logger LOG = System.getLogger(BatchLogWriter.class.getName());
  private static final String IN_DOUBT = "settling";

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
  private final ProjectionOutage outage;
  private final long stamp;
  private BatchLog log;
  private @Nullable SessionLog held;
  private long openedAt;
  private boolean looked;
  private boolean isTold;
  private volatile boolean resolved;
  private volatile boolean stuck;
  private boolean oldestIsLate;
  private boolean staged;

  public BatchLogWriter(WorkerContext context, BatchLogPorts ports) {
    this.context = context;
    this.registry = ports.registry();
    this.projector = registry.projector();
    this.ports = ports;
    this.outage = new ProjectionOutage(context.worker(), context::now);
    this.stamp = context.ports().random().nextLong();
    this.log = ports.log();
  }

  /** Begins with a new session. */
  public void opened() {
    held = context.session().log(context.worker());
    log = ports.log();
    openedAt = context.now();
    looked = false;
    isTold = false;
    resolved = false;
    stuck = false;
    oldestIsLate = false;
    staged = false;
  }

  void onCommit() {
    if (staged) {
      staged = false;
      registry.resolve(context.worker(), log.lastBatch());
      projector.release(context.worker(), log.oldestBatch());
    }
  }

  /** Whether the outcome of every earlier session's transactions is known. Any thread. */
  public boolean isResolved() {
    return resolved;
  }

  /** Whether SENDs have been refused for longer than a transaction takes to end. Any thread. */
  public boolean isStuck() {
    return stuck && !resolved;
  }

  /** How many nanoseconds the worker may sleep, at most {@code atMost}. */
  public long untilNextLook(long atMost) {
    return resolved ? atMost : Math.min(atMost, LOOK_EVERY);
  }

  /**
   * Takes the entries that have arrived, and finds the outcomes of earlier sessions.
   *
   * @return the reason to refuse SENDs; null once all outcomes are known
   */
  @Nullable String awaitOutcomes() {
    if (resolved) {
      return null;
    }
    receive(looked ? Duration.ZERO : PATIENCE);
    try {
      findOutcomes();
    } catch (StoreMismatchException e) {
      return "store_mismatch";
    }
    tell();
    looked = true;
    return resolved ? null : IN_DOUBT;
  }

  private void findOutcomes() {
    if (log.isWhole()) {
      registry.resolve(context.worker(), log.lastBatch());
      resolved = true;
      return;
    }
    List<DamagedEntry> damaged = held().damaged();
    if (log.isWholeBut(damaged.size())) {
      throw registry.damaged(context.worker(), damaged);
    }
  }

  /**
   * Waits briefly until a batch of this many SENDs can be appended.
   *
   * @return the reason to refuse them; null if there is room
   */
  @Nullable String awaitRoom(int sends) {
    if (!awaitOldest()) {
      return IN_DOUBT;
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
    held().stage(log.append(next(), pages, projector.applied(context.worker())));
  }

  /**
   * Stages leases for the worker's next life as the newest entries.
   *
   * @param leases the entries' bodies
   * @return false if the log takes no entries now
   */
  public boolean stageHandover(List<ByteBuffer> leases) {
    boolean takes = awaitOutcomes() == null && awaitOldest() && awaitDatabase();
    if (takes) {
      held().stage(log.handOver(leases, projector.applied(context.worker())));
    }
    return takes;
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
          "Worker {0} takes no SENDs: the broker has not delivered the entries of its log",
          context.worker());
    }
    oldestIsLate = !has;
    return has;
  }

  /**
   * Returns whether the oldest entry can go, because the database has its batch, and the database
   * is not too far behind.
   */
  private boolean awaitDatabase() {
    WorkerId worker = context.worker();
    if (projector.pendingBytes(worker) >= ports.window().bytes()) {
      return false;
    }
    if (log.hasRoom(projector.applied(worker))) {
      return true;
    }
    return !outage.isFull()
        && projector.awaitBatch(worker, log.batchToApply(), PATIENCE)
        && log.hasRoom(projector.applied(worker));
  }

  /** Says nothing of a log that only takes a moment to arrive. */
  private void tell() {
    if (resolved && looked) {
      // The batch in doubt may have changed the queues since the session was opened.
      context.recount();
    }
    if (resolved && isTold) {
      LOG.log(
          Level.INFO, "Worker {0} takes SENDs again: the earlier one has ended", context.worker());
    }
    if (!resolved && !isTold && context.now() - openedAt >= TELL_AFTER) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "Worker {0} takes no SENDs: an earlier transaction has not ended in the broker",
          context.worker());
    }
    if (!resolved && !stuck && context.now() - openedAt >= STUCK_AFTER) {
      stuck = true;
      LOG.log(
          Level.ERROR,
          "Worker {0} still takes no SENDs: restart the broker if the transaction does not end",
          context.worker());
    }
  }
}
