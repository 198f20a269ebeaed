package org.svcmailbox.core.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * What operators can have a worker do with its shards, between two of its transactions. Every
 * method concerns only the shards that this worker owns. Part of one worker.
 */
final class ShardAdmin {
  private final WorkerContext context;
  private final MessageDispatcher dispatcher;
  private final Settlement settlement;
  private final SendStage sendStage;

  ShardAdmin(
      WorkerContext context,
      MessageDispatcher dispatcher,
      Settlement settlement,
      SendStage sendStage) {
    this.context = context;
    this.dispatcher = dispatcher;
    this.settlement = settlement;
    this.sendStage = sendStage;
  }

  /** Lets go of a topic that is about to be deleted, so that its queues can be removed. */
  @Nullable Void drop(Topic topic) {
    dispatcher.drop(topic);
    settlement.drop(topic);
    topic.shards().stream().filter(context::owns).forEach(this::release);
    return null;
  }

  /** Goes by what the topic is now: paused or not, with more shards or fewer. */
  @Nullable Void refresh(TopicName topic) {
    dispatcher.refresh(topic);
    return null;
  }

  /**
   * Lets go of a shard that takes no messages any more, if nothing is left in it and nothing can
   * come from an earlier transaction.
   */
  boolean close(ShardId id) {
    ShardState shard = context.shard(id);
    if (!sendStage.isSettled() || shard.isLeased() || !shard.prefetched().isEmpty()) {
      return false;
    }
    // First, so that what the broker may have handed over meanwhile is back and counted.
    context.session().release(id);
    shard.released();
    boolean isEmpty = context.ports().broker().messages(id) == 0;
    if (isEmpty) {
      context.forget(id);
    }
    dispatcher.refresh(id.topic());
    return isEmpty;
  }

  /**
   * The first messages of a topic that are ready, at most {@code limit} of each shard; who peeks
   * takes nothing. Altered and expired messages are dead letters when it returns.
   *
   * @param shard of this shard only, unless it is null
   */
  List<StoredMessage> peek(Topic topic, @Nullable Integer shard, int limit) {
    List<StoredMessage> seen =
        dispatcher.shards(topic.name()).stream()
            .filter(one -> shard == null || shard == one.id().index())
            .flatMap(one -> dispatcher.peek(one, topic, limit).stream())
            .toList();
    commit();
    return seen;
  }

  /** Removes messages of a shard that are ready, about {@code most}; on disk when it returns. */
  int purge(ShardId id, int most) {
    if (!context.ports().topics().has(id)) {
      return 0;
    }
    ShardState shard = context.shard(id);
    List<Delivery> taken = dispatcher.prefetcher().takeAway(shard, most);
    taken.forEach(delivery -> context.acknowledge(shard, delivery));
    commit();
    return taken.size();
  }

  private void commit() {
    context.session().commit();
    context.counts().committed();
  }

  /** Removes a message of a shard whose time has not come; on disk if it was there. */
  boolean cancelScheduled(ShardId id, MsgId msgId) {
    boolean wasThere = context.ports().broker().removeScheduled(id, msgId);
    if (wasThere) {
      context.workerMetrics().scheduledCanceled();
      recount(id);
    }
    return wasThere;
  }

  /** Counts a queue anew that the broker has changed by itself. */
  @Nullable Void recount(ShardId id) {
    ShardState shard = context.shard(id);
    shard.counters().recount(context.ports().broker().held(id));
    return null;
  }

  /** Counts a queue anew that somebody else has put messages into, and looks into it again. */
  @Nullable Void arrived(ShardId id) {
    if (context.ports().topics().openShards(id.topic()).contains(id)) {
      context.shard(id).mayHaveMessages();
      recount(id);
    }
    return null;
  }

  private void release(ShardId shard) {
    context.session().release(shard);
    context.forget(shard);
  }
}
