package org.svcmailbox.core.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.Batch;

/**
 * The single writer of its shards. One {@link #step} does everything that is queued, commits once,
 * and only then answers the callers. So batches grow under load, and every answer is on disk.
 *
 * <p>When the broker's answer is in doubt, the worker discards its state and begins again, as after
 * a crash. The broker returns delivered messages, and the log of batches tells which were sent.
 * There is no other recovery path; a worker that dies of an error is replaced by a new one.
 *
 * <p>Any thread may call {@link #submit}; all else belongs to the thread that runs the worker.
 */
public final class ShardWorker {
  private static final Logger LOG = System.getLogger(ShardWorker.class.getName());

  /** Commands done in one step, and so in one commit. */
  private static final int MAX_BATCH = Batch.MAX_ROWS;

  /** The longest sleep; every deadline is earlier than that or not due. */
  private static final long IDLE = Duration.ofSeconds(1).toNanos();

  /** How long nobody must have asked for a shard before the broker keeps its messages to itself. */
  private static final long RELEASE_AFTER = Duration.ofSeconds(30).toNanos();

  private static final Duration REOPEN_FIRST = Duration.ofMillis(100);
  private static final Duration REOPEN_MOST = Duration.ofSeconds(5);

  private final LogPorts logs;
  private final WorkerContext context;
  private final Inbox<Command> inbox;

  /** Takes leases back whose messages no client got. Any thread. */
  private final Consumer<List<Lease>> takeBack;

  private final WorkerLog log;
  private final SendStage sendStage;
  private final WaitingCalls waiting;
  private final LeaseDelivery delivery;
  private final MessageDispatcher dispatcher;
  private final LateAcks lateAcks;
  private final Settlement settlement;
  private final AtomicBoolean healthy = new AtomicBoolean();
  private final SendQueues queued = new SendQueues();
  private final List<Send> sends = new ArrayList<>();
  private final Deque<AdminCommand<?>> adminCommands = new ArrayDeque<>();
  private final ShardAdmin admin;
  private long reopenAt;
  private long releaseAt;
  private long tellAt;
  private Duration reopenDelay = REOPEN_FIRST;

  ShardWorker(WorkerNumber number, WorkerPorts ports, LogPorts logs, Inbox<Command> inbox) {
    this.logs = logs;
    this.context = new WorkerContext(number, ports);
    this.inbox = inbox;
    this.takeBack = unread -> inbox.offerAlways(new GiveBack(unread));
    this.log = new WorkerLog(context, logs);
    this.sendStage = new SendStage(context, logs.sendLog(), log);
    Receipts receipts = new Receipts(ports.random(), ports.wall().instant());
    ReadyTopics ready = new ReadyTopics(context, inbox);
    Prefetcher prefetcher = new Prefetcher(context, ready);
    Inspection inspection = new Inspection(context);
    this.waiting = new WaitingCalls(context);
    this.delivery = new LeaseDelivery(context, ready, takeBack);
    this.dispatcher =
        new MessageDispatcher(
            context,
            ready,
            waiting,
            new LeaseCollector(context, prefetcher, inspection, receipts),
            delivery);
    this.lateAcks = new LateAcks(context, prefetcher, receipts);
    this.settlement = new Settlement(context, new EndedLeases(context, lateAcks));
    this.admin =
        new ShardAdmin(
            context, dispatcher, waiting, prefetcher, inspection, settlement, log);
    this.reopenAt = context.now();
    this.releaseAt = context.now() + RELEASE_AFTER;
    this.tellAt = context.now() + IDLE;
  }

  /**
   * The worker that takes the place of this one, which has died: it knows only which shards to
   * recount. The broker and the send log have the rest.
   */
  ShardWorker successor() {
    ShardWorker next = new ShardWorker(context.number(), context.ports(), logs, inbox);
    context.shards().forEach(shard -> next.context.shard(shard.id()));
    next.reopenLater();
    return next;
  }

  /** Gives the worker a command, unless its inbox is full. */
  public boolean submit(Command command) {
    return inbox.offer(command);
  }

  /** The refusal returned when the inbox is full. */
  public Refusal saturated() {
    return inbox.limit().refusal();
  }

  /** Gives the worker a command that must reach it. */
  void submitAlways(Command command) {
    inbox.offerAlways(command);
  }

  /** Whether the worker has its broker session. Any thread. */
  boolean isHealthy() {
    return healthy.get();
  }

  /** Whether it has its session, and no earlier one's transaction is open. Any thread. */
  boolean isSettled() {
    return healthy.get() && log.isSettled();
  }

  /** Commands that wait. Any thread. */
  int backlog() {
    return inbox.size();
  }

  long backlogCapacity() {
    return inbox.limit().capacity();
  }

  long turnedAway() {
    return inbox.limit().refused();
  }

  /** Ends the worker's sleep. Any thread. */
  void wake() {
    inbox.wake();
  }

  /** Does everything that is due, once; answers how much that was. */
  int step() {
    if (!context.hasSession() && !open()) {
      refuseAll();
      return 0;
    }
    try {
      return workAndCommit();
    } catch (UnavailableException e) {
      LOG.log(
          Level.WARNING, "Worker {0} lost its broker session: {1}", context.worker(), e.toString());
      breakSession(BrokerSession::close);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Worker " + context.worker() + " failed and begins again", e);
      breakSession(BrokerSession::fail);
    }
    return 0;
  }

  /** Sleeps until the next command, arrival or deadline, or for {@code atMost} nanoseconds. */
  void awaitWork(long atMost) {
    long now = context.now();
    long nanos = queued.isEmpty() ? Math.min(IDLE, atMost) : 0;
    if (context.hasSession()) {
      nanos = context.leases().untilFirst(now, nanos);
      nanos = dispatcher.untilFirst(now, nanos);
      nanos = lateAcks.untilFirst(now, nanos);
      nanos = log.untilNextLook(nanos);
    } else {
      nanos = Math.min(nanos, reopenAt - now);
    }
    inbox.await(nanos);
  }

  int leases() {
    return context.leases().size();
  }

  /** Nanoseconds that a drain may still take: 0 once nothing is pending or held any more. */
  long untilDrained(long until) {
    boolean quiet = inbox.size() == 0 && context.leases().size() == 0;
    return quiet ? 0 : Math.max(0, until - context.now());
  }

  /** Answers the calls that wait for a message: none will be handed out any more. */
  int dismissWaiting(Refusal refusal) {
    int dismissed = waiting.dismiss(refusal);
    context.replies().flushImmediate();
    return dismissed;
  }

  /**
   * Ends the worker: what was leased goes back to the broker, what it has taken is refused.
   * Repeating it changes nothing.
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
    List<Runnable> parts =
        List.of(
            () -> endSession(endSession),
            settlement::broken,
            lateAcks::refuseAll,
            context.counts()::broken,
            () -> context.shards().forEach(ShardState::broken),
            this::refuseTaken,
            () -> waiting.orphan(takeBack, brokerAway()),
            () -> queued.take(Integer.MAX_VALUE, this::refuse),
            () -> context.replies().failed(brokerAway()));
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "Worker " + context.worker() + " has died, and left something undone", e);
      }
    }
  }

  private void endSession(Consumer<BrokerSession> end) {
    healthy.set(false);
    if (context.hasSession()) {
      end.accept(context.session());
      context.session(null);
    }
  }

  /** Refuses what nobody is there to take. Any thread. */
  static void refuse(Command command, Limits limits) {
    if (command instanceof Send send) {
      send.taken(limits);
    }
    command.refuse(brokerAway());
  }

  private int workAndCommit() {
    int done = takeCommands();
    long now = context.now();
    done += settlement.expire(now);
    done += lateAcks.retry(now);
    done += dispatcher.serve();
    done += waiting.endDue(now);
    context.replies().flushImmediate();
    sendStage.stage(sends);
    context.session().commit();
    sendStage.committed();
    context.settled().committed();
    context.counts().committed();
    context.replies().committed();
    sends.clear();
    carryOut();
    lookAround(now);
    return done;
  }

  private int takeCommands() {
    context.limits().refreshDisk();
    int others = 0;
    Command command;
    while (others < MAX_BATCH && (command = inbox.poll()) != null) {
      if (command instanceof Send send) {
        queued.add(send);
      } else {
        inbox.done(1);
        others++;
        take(command);
      }
    }
    return others + queued.take(MAX_BATCH, this::add);
  }

  private void add(Send send) {
    inbox.done(1);
    send.taken(context.limits());
    Refusal refusal = refusal(send);
    if (refusal == null) {
      sends.add(send);
    } else {
      context.replies().replyNow(() -> send.refuse(refusal));
    }
  }

  /** Looks again at a SEND that was accepted; a dead letter that comes back needs no room. */
  private @Nullable Refusal refusal(Send send) {
    if (!context.ports().topics().takesInto(send.topic(), send.shard())) {
      return topicChanged();
    }
    return send.origin() == null ? context.limits().diskRefusal() : null;
  }

  private void take(Command command) {
    try {
      dispatch(command);
    } catch (RuntimeException | Error e) {
      if (command instanceof RecvCall call) {
        call.orphaned(takeBack, brokerAway());
      } else {
        command.refuse(brokerAway());
      }
      throw e;
    }
  }

  private void dispatch(Command command) {
    if (command instanceof RecvCall call) {
      recv(call);
    } else if (command instanceof Settle settle) {
      settlement.settle(settle);
    } else if (command instanceof GiveBack unread) {
      delivery.giveBack(unread.leases());
    } else if (command instanceof AdminCommand<?> adminCommand) {
      adminCommands.add(adminCommand);
    } else {
      throw new IllegalArgumentException("no worker knows " + command.getClass());
    }
  }

  private void recv(RecvCall call) {
    if (context.ports().topics().isCurrent(call.topic())) {
      dispatcher.recv(call);
    } else {
      context.replies().replyNow(() -> call.refuse(topicChanged()));
    }
  }

  private void carryOut() {
    if (adminCommands.isEmpty()) {
      return;
    }
    AdminCommand<?> adminCommand;
    while ((adminCommand = adminCommands.peek()) != null) {
      adminCommand.carryOut(admin, context.replies());
      adminCommands.remove();
    }
    context.replies().flushImmediate();
    // A command may have fetched messages that waiting calls must get.
    inbox.wake();
  }

  private boolean open() {
    if (context.now() - reopenAt < 0) {
      return false;
    }
    try {
      context.forgetGone();
      context.recount();
      context.session(context.ports().broker().open(context.worker()));
      log.opened();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING, "Worker {0} has no broker session: {1}", context.worker(), e.toString());
      reopenLater();
      return false;
    }
    reopenDelay = REOPEN_FIRST;
    healthy.set(true);
    dispatcher.opened();
    return true;
  }

  private void breakSession(Consumer<BrokerSession> end) {
    endSession(end);
    settlement.broken();
    lateAcks.refuseAll();
    context.counts().broken();
    context.shards().forEach(ShardState::broken);
    refuseTaken();
    reopenLater();
  }

  private void refuseTaken() {
    context.replies().failed(brokerAway());
    // Also refuses SENDs that are not staged; completing a future twice changes nothing.
    sends.forEach(send -> send.refuse(brokerAway()));
    sends.clear();
    adminCommands.forEach(adminCommand -> adminCommand.refuse(brokerAway()));
    adminCommands.clear();
  }

  private void reopenLater() {
    context.workerMetrics().sessionRetried();
    reopenAt = context.now() + reopenDelay.toNanos();
    Duration doubled = reopenDelay.multipliedBy(2);
    reopenDelay = doubled.compareTo(REOPEN_MOST) < 0 ? doubled : REOPEN_MOST;
  }

  private void refuseAll() {
    Command command;
    while ((command = inbox.poll()) != null) {
      if (command instanceof Send send) {
        queued.add(send);
      } else {
        inbox.done(1);
        Command refused = command;
        context.replies().replyNow(() -> refused.refuse(brokerAway()));
      }
    }
    queued.take(Integer.MAX_VALUE, this::refuse);
    context.replies().failed(brokerAway());
  }

  private void refuse(Send send) {
    inbox.done(1);
    send.taken(context.limits());
    context.replies().replyNow(() -> send.refuse(brokerAway()));
  }

  /** Periodic work, not due in every step. */
  private void lookAround(long now) {
    if (now - tellAt >= 0) {
      tellAt = now + IDLE;
      context.shards().forEach(ShardState::tell);
    }
    if (now - releaseAt >= 0) {
      releaseAt = now + RELEASE_AFTER;
      releaseIdle(now - RELEASE_AFTER);
    }
  }

  /** Stops receiving from shards unused since {@code moment}. */
  private void releaseIdle(long moment) {
    for (ShardState shard : context.shards()) {
      if (shard.isIdleSince(moment)) {
        context.session().release(shard.id());
        shard.released();
      }
    }
  }

  /** A queue that is gone would take the worker's session with it, and every lease. */
  private static Refusal topicChanged() {
    return Refusal.unavailable(
        "topic_changed",
        "the topic was deleted or has fewer shards since; repeat the call",
        Duration.ofSeconds(1));
  }

  private static Refusal brokerAway() {
    return Refusal.unavailable(
        Refusal.BROKER_AWAY,
        "the broker is away; what was asked may or may not have happened",
        Duration.ofSeconds(1));
  }
}
