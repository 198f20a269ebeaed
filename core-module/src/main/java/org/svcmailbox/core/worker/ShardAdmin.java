package org.svcmailbox.core.worker;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.bounds.Holding;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseTally;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.lookup.WorkerLook;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.dispatch.Inspection;
import org.svcmailbox.core.worker.dispatch.MessageDispatcher;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.WaitingCalls;
import org.svcmailbox.core.worker.send.GroupLogs;
import org.svcmailbox.core.worker.settle.Settlement;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Administers one worker's shards between two transactions. Part of one worker. */
public final class ShardAdmin {
  /** The most leases that one step ends. */
  public static final int MOST_WITHDRAWN = 1_000;

  private final WorkerContext context;
  private final MessageDispatcher dispatcher;
  private final WaitingCalls waiting;
  private final Prefetcher prefetcher;
  private final Inspection inspection;
  private final Settlement settlement;
  private final GroupLogs groups;
  private final GroupMoves moves;
  private final LeaseScan leases;
  private final HeldSearch held;

  ShardAdmin(
      WorkerContext context,
      MessageDispatcher dispatcher,
      WaitingCalls waiting,
      Prefetcher prefetcher,
      Inspection inspection,
      Settlement settlement,
      GroupLogs groups,
      GroupMoves moves) {
    this.context = context;
    this.dispatcher = dispatcher;
    this.waiting = waiting;
    this.prefetcher = prefetcher;
    this.inspection = inspection;
    this.settlement = settlement;
    this.groups = groups;
    this.moves = moves;
    this.leases = new LeaseScan(context);
    this.held = new HeldSearch(context, leases);
  }

  /** Releases a topic that is about to be deleted, so that its queues can be removed. */
  public @Nullable Void drop(Topic topic) {
    waiting.drop(topic.name());
    settlement.drop(topic);
    topic.shards().stream().filter(context::owns).forEach(this::release);
    return null;
  }

  /** Waits for a group's log; returns false if the broker has none. */
  public boolean take(WorkerId group) {
    return moves.take(group);
  }

  /** Gives a group away to the session that waits for its log; completed when it is. */
  public CompletionStage<@Nullable Void> giveAway(WorkerId group) {
    return moves.giveAway(group);
  }

  /**
   * Ends leases now, as if their deadlines had passed.
   *
   * @return how many; {@link #MOST_WITHDRAWN} if there may be more
   */
  public int withdraw(Predicate<Holding> which) {
    return settlement.withdraw(which, MOST_WITHDRAWN);
  }

  /** The leases by holder, as the last scan saw them; never changed again. */
  public LeaseTally leaseHolders() {
    return leases.holders();
  }

  /** Looks at some more leases; returns whether the last scan is at most a second old. */
  public boolean scanLeases() {
    return leases.advance();
  }

  /** The oldest leases of a topic, as the last scan saw them. */
  public List<HeldLease> leases(TopicName topic) {
    return leases.oldest(topic);
  }

  /**
   * Looks for a message in the memory of the worker.
   *
   * @param shards those with its slot
   */
  public WorkerLook look(MsgId msgId, List<ShardId> shards) {
    return held.look(msgId, shards);
  }

  /** Applies a change of a topic. */
  public @Nullable Void refresh(TopicName topic) {
    dispatcher.refresh(topic);
    return null;
  }

  /** Closes a surplus shard if it is empty and no transaction in doubt can add to it. */
  public boolean close(ShardId id) {
    if (!context.owns(id)) {
      return false;
    }
    ShardState shard = context.shard(id);
    if (!groups.isResolved() || shard.isLeased() || !shard.prefetched().isEmpty()) {
      return false;
    }
    // First, so that messages in transit are back in the queue and counted.
    context.session().release(id);
    shard.released();
    boolean isEmpty = context.ports().broker().messages(id) == 0;
    if (isEmpty) {
      context.forget(id);
    }
    dispatcher.refresh(id.topic());
    return isEmpty;
  }

  /** The first ready messages of each shard. Altered and expired ones become dead letters. */
  public List<StoredMessage> peek(Topic topic, @Nullable Integer shard, int limit) {
    List<StoredMessage> seen =
        context.openShards(topic.name()).stream()
            .filter(one -> shard == null || shard == one.id().index())
            .flatMap(one -> peek(one, topic, limit).stream())
            .toList();
    commit();
    return seen;
  }

  private List<StoredMessage> peek(ShardState shard, Topic topic, int most) {
    List<Delivery> first;
    List<Delivery> passed;
    do {
      first = prefetcher.peek(shard, most);
      passed =
          first.stream().filter(one -> inspection.passOrQuarantine(shard, topic, one)).toList();
    } while (passed.size() < first.size());
    return passed.stream().map(Delivery::message).toList();
  }

  /** Removes about {@code most} ready messages; on disk on return. */
  public int purge(ShardId id, int most) {
    if (!isHere(id)) {
      return 0;
    }
    ShardState shard = context.shard(id);
    List<Delivery> taken = prefetcher.takeAway(shard, most);
    taken.forEach(delivery -> context.purge(shard, delivery));
    commit();
    return taken.size();
  }

  private void commit() {
    context.commit();
    context.counts().onCommit();
  }

  /** Removes a message that is not yet due; on disk if it was there. */
  public boolean cancelScheduled(ShardId id, MsgId msgId) {
    boolean wasThere = context.owns(id) && context.ports().broker().removeScheduled(id, msgId);
    if (wasThere) {
      context.workerMetrics().scheduledCanceled();
      recount(id);
    }
    return wasThere;
  }

  /** Recounts a queue that the broker has changed by itself. */
  public @Nullable Void recount(ShardId id) {
    if (isHere(id)) {
      context.shard(id).counters().recount(context.ports().broker().held(id));
    }
    return null;
  }

  /** Recounts a queue after messages were added from elsewhere, and looks for them. */
  public @Nullable Void arrived(ShardId id) {
    if (context.owns(id) && context.ports().topics().openShards(id.topic()).contains(id)) {
      context.shard(id).mayHaveMessages();
      recount(id);
    }
    return null;
  }

  private boolean isHere(ShardId id) {
    return context.ports().topics().has(id) && context.owns(id);
  }

  private void release(ShardId shard) {
    context.session().release(shard);
    context.forget(shard);
  }
}
