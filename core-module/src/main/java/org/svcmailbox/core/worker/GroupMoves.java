package org.svcmailbox.core.worker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.Receipts;
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
 */
final class GroupMoves implements StepPart {
  private final WorkerContext context;
  private final GroupsHere here;
  private final GroupLogs logs;
  private final MessageDispatcher dispatcher;
  private final Settlement settlement;
  private final LateAcks lateAcks;
  private final Receipts receipts;

  /** The entries with which the present lives of the groups began. */
  private final Map<WorkerId, Long> epochs = new HashMap<>();

  GroupMoves(
      WorkerContext context,
      GroupLogs logs,
      MessageDispatcher dispatcher,
      Settlement settlement,
      LateAcks lateAcks,
      Receipts receipts) {
    this.context = context;
    this.here = context.slots().here();
    this.logs = logs;
    this.dispatcher = dispatcher;
    this.settlement = settlement;
    this.lateAcks = lateAcks;
    this.receipts = receipts;
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

  /** Serves RECVs and ACKs of a group whose log this process has opened. */
  void serve(WorkerId group) {
    Long epoch = logs.epoch(group);
    if (!epoch.equals(epochs.put(group, epoch))) {
      receipts.begin(group, context.ports().wall().instant());
    }
    context.countIn(group);
    here.serve(group, epoch);
    dispatcher.opened();
  }

  /**
   * Ends what this worker knows of a group, and gives its shards away and its log last. So the heir
   * finds all messages in their places once its log is whole.
   */
  void giveAway(WorkerId group) {
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
    IntPredicate slots = slot -> context.slots().groupOf(slot).equals(group);
    settlement.giveAway(slots);
    lateAcks.giveAway(slots);
  }

  private List<ShardState> shards(WorkerId group) {
    return context.shards().stream()
        .filter(shard -> context.slots().groupOf(shard.id().slot()).equals(group))
        .toList();
  }

  /** Another process may have each group from now on. */
  @Override
  public void onSessionLost() {
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
