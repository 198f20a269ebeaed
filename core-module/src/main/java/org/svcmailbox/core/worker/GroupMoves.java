package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.handover.HandoverCodec;
import org.svcmailbox.core.worker.handover.Takeover;
import org.svcmailbox.core.worker.send.GroupLogs;
import org.svcmailbox.core.worker.settle.LateAcks;
import org.svcmailbox.core.worker.settle.Settlement;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Moves groups into a worker and out of it, between two transactions, while its session and its
 * other groups go on. In a process that is alone it does nothing. Part of one worker.
 *
 * <p>A group leaves in two moves. At first its messages are leased no more, and everything else
 * goes on, so that most leases end where they began. Then the leases that are left go with it.
 */
final class GroupMoves implements StepPart {
  /** The longest time until the next owner has the messages; a later one finds fewer leases. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(1);

  /**
   * A group that leaves.
   *
   * @param until when it goes with the leases that are left
   */
  private record Leaving(long until, CompletableFuture<@Nullable Void> given) {}

  private final WorkerContext context;
  private final GroupsHere here;
  private final GroupLogs logs;
  private final MessageDispatcher dispatcher;
  private final Settlement settlement;
  private final LateAcks lateAcks;
  private final Receipts receipts;
  private final Takeover takeover;
  private final LeaseHandover handover;
  private final Map<WorkerId, Leaving> leaving = new LinkedHashMap<>();

  /** The entries with which the present lives of the groups began. */
  private final Map<WorkerId, Long> epochs = new HashMap<>();

  GroupMoves(
      WorkerContext context,
      GroupLogs logs,
      MessageDispatcher dispatcher,
      Settlement settlement,
      LateAcks lateAcks,
      Receipts receipts,
      Takeover takeover,
      LeaseHandover handover) {
    this.context = context;
    this.here = context.slots().here();
    this.logs = logs;
    this.dispatcher = dispatcher;
    this.settlement = settlement;
    this.lateAcks = lateAcks;
    this.receipts = receipts;
    this.takeover = takeover;
    this.handover = handover;
  }

  /** Waits for a group's log; returns false if the broker has none. */
  boolean take(WorkerId group) {
    try {
      logs.attach(group);
      return true;
    } catch (UnavailableException e) {
      // If the session is lost, the step's next call says so.
      here.want(group, false);
      return false;
    }
  }

  /**
   * Serves RECVs and ACKs of a group whose log this process has opened. The leases that came with
   * it wait for {@link Takeover#run}.
   */
  void serve(WorkerId group) {
    Long epoch = logs.epoch(group);
    if (!epoch.equals(epochs.put(group, epoch))) {
      receipts.begin(group, context.ports().wall().instant());
      takeover.handed(slots(group), HandoverCodec.readable(logs.handedOver(group)));
    }
    context.countIn(group);
    here.serve(group, epoch);
    dispatcher.opened();
  }

  /**
   * Leases no more of a group's messages, and gives it away soon.
   *
   * @return completed when the broker has its messages and its log; cancelled if the process wants
   *     the group again before
   */
  CompletableFuture<@Nullable Void> giveAway(WorkerId group) {
    long until = context.now() + LeaseHandover.SETTLING.toNanos();
    Leaving begun = new Leaving(until, new CompletableFuture<>());
    Leaving going = leaving.putIfAbsent(group, begun);
    dispatcher.opened();
    return going == null ? begun.given() : going.given();
  }

  /** Gives away the groups whose leases have ended, or have had their time. */
  void advance() {
    for (Map.Entry<WorkerId, Leaving> one : List.copyOf(leaving.entrySet())) {
      WorkerId group = one.getKey();
      Leaving going = one.getValue();
      if (here.wants(group)) {
        leaving.remove(group);
        dispatcher.opened();
        context.replies().replyNow(() -> going.given().cancel(false));
      } else if (!handover.hasLeft(slots(group)) || going.until() - context.now() <= 0) {
        leave(group);
        leaving.remove(group);
        context.replies().replyNow(() -> going.given().complete(null));
      }
    }
  }

  /** How many nanoseconds the worker may sleep, at most {@code atMost}. */
  long untilDue(long now, long atMost) {
    return leaving.values().stream()
        .mapToLong(going -> Math.max(0, going.until() - now))
        .reduce(atMost, Math::min);
  }

  /**
   * Ends what this worker knows of a group, and gives its shards away and its log last. So the heir
   * finds all messages in their places once its log is whole.
   */
  private void leave(WorkerId group) {
    if (here.serves(group) && !handover.write(slots(group), UNDER_WAY)) {
      context.workerMetrics().takenOver(0, handover.left(slots(group)));
    }
    forget(group);
    for (ShardState shard : shards(group)) {
      context.session().release(shard.id());
      shard.broken();
    }
    context.forgetShards(group);
    logs.release(group);
    dispatcher.opened();
  }

  private void forget(WorkerId group) {
    here.endService(group);
    settlement.giveAway(slots(group));
    lateAcks.giveAway(slots(group));
    takeover.handed(slots(group), List.of());
  }

  private IntPredicate slots(WorkerId group) {
    return slot -> context.slots().groupOf(slot).equals(group);
  }

  private List<ShardState> shards(WorkerId group) {
    return context.shards().stream()
        .filter(shard -> context.slots().groupOf(shard.id().slot()).equals(group))
        .toList();
  }

  /** Another process may have each group from now on. */
  @Override
  public void onSessionLost() {
    leaving
        .values()
        .forEach(
            going ->
                context
                    .replies()
                    .replyNow(
                        () ->
                            going
                                .given()
                                .completeExceptionally(
                                    new UnavailableException("the broker session ended"))));
    leaving.clear();
    if (here.isAlone()) {
      return;
    }
    for (WorkerId group : context.slots().groups()) {
      if (here.serves(group)) {
        forget(group);
        context.forgetShards(group);
      }
    }
  }
}
