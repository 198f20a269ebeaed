package org.svcmailbox.core.worker.send;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.BatchLog;
import org.svcmailbox.core.sendlog.BatchPages;
import org.svcmailbox.core.sendlog.DamagedEntry;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.sendlog.StoreMismatchException;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * A worker's log of batches. It takes a batch only when the outcome of every earlier one is known,
 * its oldest entry has arrived, and the database follows.
 */
public final class WorkerLog {
  private static final Logger LOG = System.getLogger(WorkerLog.class.getName());
  private static final String SETTLING = "settling";

  /** When a log that is not whole is worth a line. */
  private static final long TELL_AFTER = Duration.ofSeconds(1).toNanos();

  /** When it will hardly become whole by itself. */
  private static final long STUCK_AFTER = Duration.ofSeconds(10).toNanos();

  /**
   * Longest wait of a step for entries of the log, or for the database to follow. Steps after it
   * only look. The worker's RECVs and ACKs wait with it.
   */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** How often a log is looked at that is not whole. */
  private static final long LOOK_EVERY = Duration.ofMillis(20).toNanos();

  private final WorkerContext context;
  private final SendLog sendLog;
  private final LogPorts ports;
  private final ProjectionOutage outage;
  private final long stamp;
  private BatchLog log;
  private long openedAt;
  private boolean looked;
  private boolean isTold;
  private volatile boolean settled;
  private volatile boolean stuck;
  private boolean oldestIsLate;
  private boolean staged;

  public WorkerLog(WorkerContext context, LogPorts ports) {
    this.context = context;
    this.sendLog = ports.sendLog();
    this.ports = ports;
    this.outage = new ProjectionOutage(context.worker(), context::now);
    this.stamp = context.ports().random().nextLong();
    this.log = ports.log();
  }

  public void opened() {
    log = ports.log();
    openedAt = context.now();
    looked = false;
    isTold = false;
    settled = false;
    stuck = false;
    oldestIsLate = false;
    staged = false;
  }

  void onCommit() {
    if (staged) {
      staged = false;
      sendLog.settle(context.worker(), log.lastBatch());
      sendLog.release(context.worker(), log.oldestBatch());
    }
  }

  /** Whether the outcome of every earlier session's transactions is known. Any thread. */
  public boolean isSettled() {
    return settled;
  }

  /** Whether SENDs have been refused for longer than a transaction takes to end. Any thread. */
  public boolean isStuck() {
    return stuck && !settled;
  }

  /** How long the worker may sleep, for {@code atMost} nanoseconds. */
  public long untilNextLook(long atMost) {
    return settled ? atMost : Math.min(atMost, LOOK_EVERY);
  }

  /**
   * Takes the entries that have arrived, and finds out how earlier sessions ended.
   *
   * @return the reason to refuse SENDs, null when all is known
   */
  @Nullable String awaitOutcomes() {
    if (settled) {
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
    return settled ? null : SETTLING;
  }

  private void findOutcomes() {
    if (log.isWhole()) {
      sendLog.settle(context.worker(), log.lastBatch());
      settled = true;
      return;
    }
    List<DamagedEntry> damaged = context.session().damagedLog();
    if (log.isWholeBut(damaged.size())) {
      throw sendLog.damaged(context.worker(), damaged);
    }
  }

  /**
   * Waits a moment until a batch of so many SENDs can be appended.
   *
   * @return the reason to refuse them, null when there is room
   */
  @Nullable String awaitRoom(int sends) {
    if (!awaitOldest()) {
      return SETTLING;
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
    context.session().stageLog(log.append(next(), pages, sendLog.applied(context.worker())));
  }

  /**
   * Stages leases for the worker's next life as the newest entries.
   *
   * @param leases the entries' bodies
   * @return whether the log takes entries now
   */
  public boolean stageHandover(List<ByteBuffer> leases) {
    boolean takes = awaitOutcomes() == null && awaitOldest() && awaitDatabase();
    if (takes) {
      context.session().stageLog(log.handOver(leases, sendLog.applied(context.worker())));
    }
    return takes;
  }

  private void receive(Duration atMost) {
    log.receive(context.session()::receiveLog, context.ports().ticker()::nanos, atMost);
  }

  /** Returns whether the oldest entry has arrived. Entries mostly arrive long before. */
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
   * Returns whether the database has what the oldest entry of the log stands for, so that it can
   * go, and is not too far behind.
   */
  private boolean awaitDatabase() {
    int worker = context.worker();
    if (sendLog.pendingBytes(worker) >= ports.window().bytes()) {
      return false;
    }
    if (log.hasRoom(sendLog.applied(worker))) {
      return true;
    }
    return !outage.isFull()
        && sendLog.awaitApplied(worker, log.batchToApply(), PATIENCE)
        && log.hasRoom(sendLog.applied(worker));
  }

  /** A log that takes a moment to arrive is not worth a line. */
  private void tell() {
    if (settled && looked) {
      // The batch in doubt may have changed the queues since the session was opened.
      context.recount();
    }
    if (settled && isTold) {
      LOG.log(
          Level.INFO, "Worker {0} takes SENDs again: the earlier one has ended", context.worker());
    }
    if (!settled && !isTold && context.now() - openedAt >= TELL_AFTER) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "Worker {0} takes no SENDs: an earlier transaction has not ended in the broker",
          context.worker());
    }
    if (!settled && !stuck && context.now() - openedAt >= STUCK_AFTER) {
      stuck = true;
      LOG.log(
          Level.ERROR,
          "Worker {0} still takes no SENDs: restart the broker if the transaction does not end",
          context.worker());
    }
  }
}
