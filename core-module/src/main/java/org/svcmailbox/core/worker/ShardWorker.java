package org.svcmailbox.core.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.dispatch.Inspection;
import org.svcmailbox.core.worker.dispatch.LeaseCollector;
import org.svcmailbox.core.worker.dispatch.LeaseDelivery;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.PrefetchExpiry;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.ReadyTopics;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.dispatch.RecvCall;
import org.svcmailbox.core.worker.dispatch.WaitingCalls;
import org.svcmailbox.core.worker.handover.HandedLease;
import org.svcmailbox.core.worker.handover.Takeover;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.core.worker.send.GroupLogs;
import org.svcmailbox.core.worker.send.PendingSends;
import org.svcmailbox.core.worker.send.SendStage;
import org.svcmailbox.core.worker.settle.LateAcks;
import org.svcmailbox.core.worker.settle.Settlement;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.OwnedSlots;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;
import org.svcmailbox.core.worker.state.WorkerPorts;

/**
 * The single writer of its shards. One {@link #step} does everything that is queued, commits once,
 * and only then answers the callers. So batches grow under load, and everything answered is on
 * disk.
 *
 * <p>When the outcome of a commit is in doubt, the worker discards its state and starts over, as
 * after a crash. The broker returns delivered messages, and the batch log tells which ones were
 * sent. There is no other recovery path. A worker that dies of an error is replaced by a new one.
 *
 * <p>Commands reach it through its inbox; everything else belongs to the thread that runs the
 * worker.
 */
final class ShardWorker {
  private static final Logger LOG = System.getLogger(ShardWorker.class.getName());

  /** The longest sleep, if no deadline is earlier. */
  private static final long IDLE = Duration.ofSeconds(1).toNanos();

  /** How long a restart may take. */
  private static final Duration RESTART = Duration.ofHours(1);

  private final WorkerContext context;
  private final BatchLogPorts logs;
  private final Inbox<Command> inbox;
  private final StepWatch watch;
  private final LostSessions lost;
  private final SessionLifecycle sessions;
  private final GroupLogs groups;
  private final SendStage sendStage;
  private final WaitingCalls waiting;
  private final LeaseDelivery delivery;
  private final MessageDispatcher dispatcher;
  private final PrefetchExpiry expiry;
  private final LateAcks lateAcks;
  private final Settlement settlement;
  private final GroupMoves moves;
  private final Takeover takeover;
  private final LeaseHandover handover;
  private final ShardAdmin admin;
  private final PendingSends sends;
  private final AdminQueue adminCommands;
  private final CommandIntake intake;
  private final ShardMaintenance maintenance;

  /**
   * All parts of the step's transaction. The answers come last, after the state that they report.
   */
  private final List<StepPart> parts;

  ShardWorker(
      OwnedSlots slots,
      WorkerPorts ports,
      BatchLogPorts logs,
      Inbox<Command> inbox,
      StepWatch watch,
      LostSessions lost) {
    this.context = new WorkerContext(slots, ports);
    this.logs = logs;
    this.inbox = inbox;
    this.watch = watch;
    this.lost = lost;
    this.sessions = new SessionLifecycle(context, lost);
    this.groups = new GroupLogs(context, logs);
    this.sendStage = new SendStage(context, logs.registry(), groups);
    Receipts receipts = new Receipts(ports.random(), slots.here().among(), ports.wall().instant());
    ReadyTopics ready = new ReadyTopics(context, inbox);
    Prefetcher prefetcher = new Prefetcher(context, ready);
    Inspection inspection = new Inspection(context);
    LeaseCollector leases = new LeaseCollector(context, prefetcher, inspection, receipts);
    this.waiting = new WaitingCalls(context);
    this.delivery = new LeaseDelivery(context, ready, inbox);
    this.dispatcher = new MessageDispatcher(context, ready, waiting, leases, delivery);
    this.expiry = new PrefetchExpiry(context, prefetcher, inspection);
    this.lateAcks = new LateAcks(context, prefetcher, receipts);
    this.settlement = new Settlement(context, delivery, lateAcks);
    this.takeover = new Takeover(context, prefetcher);
    this.handover = new LeaseHandover(context, groups, takeover);
    this.moves =
        new GroupMoves(
            context, groups, dispatcher, settlement, lateAcks, receipts, takeover, handover);
    this.admin =
        new ShardAdmin(
            context, dispatcher, waiting, prefetcher, inspection, settlement, groups, moves);
    this.sends = new PendingSends(context, inbox);
    this.adminCommands = new AdminQueue(ports.ticker(), inbox);
    this.intake =
        new CommandIntake(context, inbox, sends, adminCommands, dispatcher, delivery, settlement);
    this.maintenance = new ShardMaintenance(context);
    this.parts =
        List.of(
            sendStage,
            settlement,
            lateAcks,
            context.counts(),
            context::loseShards,
            moves,
            sends,
            context.replies(),
            adminCommands);
  }

  /**
   * The replacement of this worker, which has died. It inherits only the list of shards to recount;
   * the broker and the registry have the rest.
   */
  ShardWorker successor() {
    ShardWorker next = new ShardWorker(context.slots(), context.ports(), logs, inbox, watch, lost);
    context.shards().forEach(shard -> next.context.shard(shard.id()));
    next.sessions.reopenLater();
    return next;
  }

  /** Whether the worker has its broker session. Any thread. */
  boolean isHealthy() {
    return sessions.isHealthy();
  }

  /** When its session began; now if it has none. Any thread. */
  Instant sessionSince() {
    return context.sessionSince();
  }

  /** Whether it has its session and no transaction of an earlier one is open. Any thread. */
  boolean isResolved() {
    return sessions.isHealthy() && groups.isResolved();
  }

  /** Whether a group takes SENDs. Any thread. */
  boolean holds(WorkerId group) {
    return sessions.isHealthy() && groups.holds(group);
  }

  /** Why a group is closed, for operators; empty if it is not. Any thread. */
  String trouble(WorkerId group) {
    return groups.trouble(group);
  }

  /** Whether a transaction of an earlier session does not end. Any thread. */
  boolean isStuck() {
    return sessions.isHealthy() && groups.isStuck();
  }

  /** Changes while the worker makes progress. Any thread. */
  long moves() {
    return context.moves();
  }

  /** Refuses the commands that it has taken and not answered. Any thread. */
  void refuseOwed() {
    context.owed().forEach(this::refuseOwed);
  }

  private void refuseOwed(Command command) {
    if (command instanceof RecvCall call) {
      delivery.cut(call, Refusals.brokerAway());
    } else {
      command.refuseLate();
    }
  }

  /** Does everything that is due, once; returns how much that was. */
  int step() {
    watch.begun();
    try {
      return stepWatched();
    } finally {
      context.owed().forgetAnswered();
      watch.ended();
    }
  }

  private int stepWatched() {
    if (!context.hasSession() && !open()) {
      return waitForSession();
    }
    try {
      return workAndCommit();
    } catch (UnavailableException e) {
      sessions.failed(e);
      loseSession(BrokerSession::close);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Worker " + context.worker() + " failed and begins again", e);
      loseSession(BrokerSession::fail);
    }
    return 0;
  }

  /** Without a session: refuses all commands, and ends waits whose time is over. */
  private int waitForSession() {
    intake.refuseAll();
    int ended = waiting.endDue(context.now());
    context.replies().flushImmediate();
    return ended;
  }

  private boolean open() {
    watch.opening();
    if (!sessions.open(groups::opened)) {
      return false;
    }
    watch.opened();
    sessions.opened();
    dispatcher.opened();
    return true;
  }

  private int workAndCommit() {
    groups.takeOver().forEach(moves::serve);
    takeover.run();
    int done = intake.take();
    long now = context.now();
    done += settlement.expire(now);
    done += lateAcks.retry(now);
    done += dispatcher.serve();
    done += expiry.run(now);
    done += waiting.endDue(now);
    context.replies().flushBeforeCommit();
    sendStage.stage(sends.batch());
    context.commit();
    parts.forEach(StepPart::onCommit);
    adminCommands.carryOut(command -> command.carryOut(admin, context.replies()));
    moves.advance();
    context.replies().flushImmediate();
    maintenance.run(now);
    return done;
  }

  /** Sleeps until the next command, arrival or deadline, or for {@code atMost} nanoseconds. */
  void awaitWork(long atMost) {
    long now = context.now();
    long nanos = sends.isEmpty() ? Math.min(IDLE, atMost) : 0;
    if (context.hasSession()) {
      nanos = context.leases().untilFirst(now, nanos);
      nanos = dispatcher.untilFirst(now, nanos);
      nanos = lateAcks.untilFirst(now, nanos);
      nanos = groups.untilNextLook(nanos);
      nanos = moves.untilDue(now, nanos);
    } else {
      nanos = waiting.untilFirst(now, Math.min(nanos, sessions.untilDue(now)));
    }
    inbox.await(nanos);
  }

  /** Passes it the leases of an earlier process, before its first step. */
  void handed(List<HandedLease> leases) {
    takeover.handed(leases);
  }

  /** The leases that end with the worker unless they are handed over. */
  int leases() {
    return handover.left(ShardWorker::isAny);
  }

  /**
   * Writes the remaining leases into the batch log, for the next start. The worker must do no step
   * afterwards.
   *
   * @return what became of them; null if the log takes no entries now and nothing was done
   */
  @Nullable DrainedLeases handOver() {
    int leases = leases();
    if (!context.hasSession()) {
      return new DrainedLeases(0, leases);
    }
    try {
      return handover.write(ShardWorker::isAny, RESTART) ? new DrainedLeases(leases, 0) : null;
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "Worker {0} cannot hand its leases over: {1}", context.worker(), e);
      return new DrainedLeases(0, leases);
    }
  }

  private static boolean isAny(int slot) {
    return true;
  }

  /** Nanoseconds that a drain may still take; 0 once nothing is pending or held any more. */
  long untilDrained(long until) {
    boolean quiet = inbox.size() == 0 && context.leases().size() == 0;
    return quiet ? 0 : Math.max(0, until - context.now());
  }

  /** Answers the calls that wait for a message, because none will be handed out any more. */
  int dismissWaiting(Refusal refusal) {
    int dismissed = waiting.dismiss(refusal);
    context.replies().flushImmediate();
    return dismissed;
  }

  /**
   * Ends the worker: leased messages go back to the broker, and commands taken are refused.
   * Idempotent.
   */
  void close() {
    end(BrokerSession::close);
  }

  /** As {@link #close}, for a worker that has died, perhaps because of a message. */
  void fail() {
    end(BrokerSession::fail);
  }

  /** The worker may have died of anything, so no part of this relies on another. */
  private void end(Consumer<BrokerSession> endSession) {
    attempt(() -> sessions.end(endSession));
    parts.forEach(part -> attempt(part::onSessionLost));
    attempt(() -> waiting.orphan(delivery, Refusals.brokerAway()));
    attempt(sends::refuseQueued);
    attempt(context.replies()::onSessionLost);
  }

  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.log(
          Level.ERROR, "Worker " + context.worker() + " has died, and left something undone", e);
    }
  }

  private void loseSession(Consumer<BrokerSession> end) {
    sessions.end(end);
    parts.forEach(StepPart::onSessionLost);
    sessions.reopenLater();
  }
}
