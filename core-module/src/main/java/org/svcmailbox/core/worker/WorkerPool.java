package org.svcmailbox.core.worker;

import static java.util.stream.Collectors.groupingBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicRecovery;
import org.svcmailbox.core.worker.handover.HandedLease;
import org.svcmailbox.core.worker.handover.HandoverCodec;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.core.worker.send.BatchLogReplay;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.Inbox;
import org.svcmailbox.core.worker.state.OwnedSlots;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.WorkerPorts;

/**
 * The shard workers of this process and their threads. A shard and all its messages belong to the
 * worker that its routing slot names.
 */
public final class WorkerPool {
  /** The interval between checks of workers that may wait. */
  public static final Duration WATCH_EVERY = Duration.ofMillis(100);

  private static final String NAME = "mailbox-shard-worker-";

  /** The part of a drain, one in this many, that is left for closing sessions. */
  private static final int CLOSING = 10;

  private final WorkerPorts ports;
  private final BatchLogReplay replay;
  private final BatchLogPorts logs;
  private final GroupsHere here;
  private final Groups groups;
  private final List<WorkerLoop> loops;
  private final List<SupervisedThread> threads = new ArrayList<>();
  private final Tasks tasks;

  public WorkerPool(MailboxSettings settings, WorkerPorts ports, BatchLogPorts logs) {
    this.here = logs.here();
    this.groups = here.among();
    this.ports = ports;
    this.logs = logs;
    this.replay = new BatchLogReplay(settings, logs, ports.broker(), ports.ticker());
    this.tasks = ports.limits().workerMetrics().workers();
    int inbox = settings.inboxCapacity();
    LostSessions lost = new LostSessions();
    this.loops =
        IntStream.range(0, groups.workers())
            .mapToObj(number -> new OwnedSlots(WorkerId.of(number), here))
            .map(slots -> new WorkerLoop(slots, ports, logs, inbox, lost))
            .toList();
  }

  /** Starts the threads; call {@link #prepare} first. */
  public void start(Supervision supervision, ThreadFactory factory) {
    for (int number = 0; number < loops.size(); number++) {
      threads.add(supervision.start(NAME + number, tasks, factory, loops.get(number)));
    }
  }

  /**
   * Applies the logs of all past and present workers to the database, before any worker starts.
   *
   * @param topics brings the table of topics up to date first
   * @throws StoresRefusedException if the stores are not from the same moment; nothing was changed
   */
  public void prepare(TopicRecovery topics) {
    if (here.isAlone()) {
      replay.run(topics);
    } else {
      replay.join();
    }
    ports.limits().keysCounted(logs.registry().countKeys());
  }

  /**
   * Passes the workers the leases of their last lives. Call it after {@link #prepare} and
   * everything else that may fail, because no later start gets them.
   */
  public void takeLeases() {
    List<HandedLease> leases = HandoverCodec.readable(replay.takeLeases());
    Map<Integer, List<HandedLease>> byWorker =
        leases.stream().collect(groupingBy(lease -> groups.workerOf(lease.msgId().slot())));
    byWorker.forEach((worker, ofWorker) -> loops.get(worker).worker().handed(ofWorker));
  }

  /** One step of every worker, on the caller's thread; for tests, which start no threads. */
  public int step() {
    return loops.stream().mapToInt(WorkerLoop::step).sum();
  }

  /** As above, for one worker. */
  public int step(int worker) {
    return loops.get(worker).step();
  }

  /**
   * Has a group's worker take the group over, while its other groups go on. Only for a process
   * among several. It waits as long as another session holds the log.
   *
   * @return completed when the worker waits for the log; false if the broker has none, and the
   *     group is not wanted any more. Failed with {@code UnavailableException} if the worker has no
   *     broker session; its next one then waits for the log
   */
  public CompletableFuture<Boolean> take(WorkerId group) {
    here.want(group, true);
    return admin(inboxOf(group), admin -> admin.take(group));
  }

  /**
   * Has a group's worker give the group away, while its other groups go on. It leases no more of
   * the group's messages, and lets holders settle for a second at most. The leases that are left
   * then go with the group. Its messages and its log go to the session that waits for them. Only
   * for a process among several.
   *
   * @return completed when the broker has them. Failed with {@code UnavailableException} if the
   *     worker has no broker session, and so no group; cancelled if the process wants the group
   *     again before
   */
  public CompletableFuture<@Nullable Void> giveAway(WorkerId group) {
    here.want(group, false);
    return admin(inboxOf(group), admin -> admin.giveAway(group)).thenCompose(given -> given);
  }

  /** Whether no other process has a group. */
  public boolean isAlone() {
    return here.isAlone();
  }

  private Inbox<Command> inboxOf(WorkerId group) {
    if (here.isAlone()) {
      throw new IllegalStateException("a process that is alone has all groups");
    }
    return inbox(groups.workerOf(group.number()));
  }

  /** Whether all that is known of a group is here, so that it takes SENDs; any thread. */
  public boolean holds(WorkerId group) {
    return loops.get(groups.workerOf(group.number())).worker().holds(group);
  }

  /** Why a group is closed, for operators; empty if it is not. Any thread. */
  public String trouble(WorkerId group) {
    return loops.get(groups.workerOf(group.number())).worker().trouble(group);
  }

  /** The refusal of a call for shards of which none is here; null if one is. */
  public @Nullable Refusal notHere(List<ShardId> shards) {
    return here.wantsAny(shards) ? null : Refusals.notHere();
  }

  /** The inbox of the worker that owns a shard. */
  public Inbox<Command> inboxOf(ShardId shard) {
    return inbox(groups.workerOf(shard.slot()));
  }

  /** The inbox of the worker that owns a message's shard. */
  public Inbox<Command> inboxOf(MsgId msgId) {
    return inbox(groups.workerOf(msgId.slot()));
  }

  /** The inboxes of the workers that own these shards, each once. */
  public List<Inbox<Command>> inboxesOf(List<ShardId> shards) {
    return shards.stream()
        .map(shard -> groups.workerOf(shard.slot()))
        .distinct()
        .map(this::inbox)
        .toList();
  }

  /**
   * Runs an action in every worker, between two of its transactions.
   *
   * @return each worker's answer; failed with {@code UnavailableException} where a worker has no
   *     broker session
   */
  public <T extends @Nullable Object> List<CompletableFuture<T>> admin(
      Function<ShardAdmin, T> work) {
    return loops.stream().map(loop -> admin(loop.inbox(), work)).toList();
  }

  /** Runs an action in the worker of a shard, between two of its transactions. */
  public <T extends @Nullable Object> CompletableFuture<T> admin(
      ShardId shard, Function<ShardAdmin, T> work) {
    return admin(inboxOf(shard), work);
  }

  /** Runs an action in the worker of a message's shard, between two of its transactions. */
  public <T extends @Nullable Object> CompletableFuture<T> admin(
      MsgId msgId, Function<ShardAdmin, T> work) {
    return admin(inboxOf(msgId), work);
  }

  private static <T extends @Nullable Object> CompletableFuture<T> admin(
      Inbox<Command> inbox, Function<ShardAdmin, T> work) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    inbox.offerAlways(new AdminCommand<>(work, reply));
    return reply;
  }

  /** Whether every worker has its session and no transaction of an earlier one is open. */
  public boolean isResolved() {
    return loops.stream().allMatch(WorkerLoop::isResolved);
  }

  /** Whether a worker takes no SENDs because an earlier transaction does not end. */
  public boolean isStuck() {
    return loops.stream().anyMatch(loop -> loop.worker().isStuck());
  }

  /** When the session of a shard's worker began; now if it has none. */
  public Instant sessionSince(ShardId shard) {
    return loops.get(groups.workerOf(shard.slot())).worker().sessionSince();
  }

  /** Whether every worker has its broker session and none waits long for the broker. */
  public boolean isHealthy() {
    return loops.stream().allMatch(WorkerLoop::isHealthy);
  }

  /**
   * Checks each worker once and refuses callers of one that waits; returns whether a step is long.
   */
  public boolean look() {
    boolean isLong = false;
    for (WorkerLoop loop : loops) {
      isLong |= loop.look();
    }
    return isLong;
  }

  int backlog() {
    return loops.stream().mapToInt(loop -> loop.inbox().size()).sum();
  }

  /** The fill level of all workers' inboxes together. */
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(this::backlog, Inbox.REASON),
        Family.BOUND_CAPACITY.of(
            () -> loops.stream().mapToLong(loop -> loop.inbox().limit().capacity()).sum(),
            Inbox.REASON),
        Family.QUEUE_DROPPED_TOTAL.of(
            () -> loops.stream().mapToLong(loop -> loop.inbox().limit().refused()).sum(),
            Inbox.REASON));
  }

  /**
   * Lets the workers finish what they have begun and ends their threads, all within {@code
   * deadline}.
   *
   * @param refusal the answer to calls that wait for messages
   * @return what became of the leases
   */
  public DrainedLeases drain(Duration deadline, Refusal refusal) {
    long now = ports.ticker().nanos();
    long until = now + deadline.toNanos();
    Duration closing = deadline.minus(deadline.dividedBy(CLOSING));
    loops.forEach(loop -> loop.drain(now, closing, refusal));
    threads.forEach(SupervisedThread::tellToEnd);
    threads.forEach(thread -> thread.end(Duration.ofNanos(until - ports.ticker().nanos())));
    return drained();
  }

  /** Drains at once on the caller's thread, for tests, which start no threads. */
  public DrainedLeases drainHere(Refusal refusal) {
    loops.forEach(loop -> loop.drain(ports.ticker().nanos(), Duration.ZERO, refusal));
    loops.forEach(WorkerLoop::serve);
    return drained();
  }

  private DrainedLeases drained() {
    return loops.stream().map(WorkerLoop::drained).reduce(DrainedLeases.NONE, DrainedLeases::and);
  }

  private Inbox<Command> inbox(int number) {
    return loops.get(number).inbox();
  }
}
