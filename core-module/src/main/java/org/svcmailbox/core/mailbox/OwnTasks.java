package org.svcmailbox.core.mailbox;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.bounds.Holding;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.ShardAdmin;
import org.svcmailbox.core.worker.WorkerPool;

/** Has the workers of this process carry out parts of operators' calls. Any thread. */
final class OwnTasks implements OwnerTasks {
  /** Bounds one turn of a worker, so that other work gets its turn. */
  private static final int PURGED_AT_ONCE = 500;

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Broker broker;
  private final Limits limits;
  private final StoredLedgers ledgers;

  OwnTasks(
      TopicDirectory topics,
      WorkerPool workers,
      Broker broker,
      Limits limits,
      StoredLedgers ledgers) {
    this.topics = topics;
    this.workers = workers;
    this.broker = broker;
    this.limits = limits;
    this.ledgers = ledgers;
  }

  @Override
  public List<StoredMessage> peek(Caller caller, Topic topic, @Nullable Integer shard, int limit) {
    return workers.admin(admin -> admin.peek(topic, shard, limit)).stream()
        .map(WorkerReplies::await)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public long purge(Caller caller, Topic topic) {
    return topic.shards().stream().mapToLong(this::purge).sum();
  }

  private long purge(ShardId shard) {
    // At most as many as there are now, because others may continue to send.
    long most = broker.messages(shard);
    long purged = 0;
    int got = 1;
    while (got > 0 && purged < most) {
      got = purgeSome(shard, most - purged);
      purged += got;
    }
    return purged + purgeScheduled(shard);
  }

  /** Removes some ready messages, in one turn of a worker; 0 if there are none. */
  int purgeSome(ShardId shard, long most) {
    int atOnce = (int) Math.min(PURGED_AT_ONCE, most);
    return WorkerReplies.await(workers.admin(shard, admin -> admin.purge(shard, atOnce)));
  }

  /** Removes all scheduled messages of a shard. */
  long purgeScheduled(ShardId shard) {
    long scheduled = broker.removeScheduled(shard);
    if (scheduled > 0) {
      WorkerReplies.await(workers.admin(shard, admin -> admin.recount(shard)));
    }
    return scheduled;
  }

  @Override
  public boolean cancelScheduled(Caller caller, Topic topic, MsgId msgId) {
    List<ShardId> shards =
        topics.openShards(topic.name()).stream()
            .filter(shard -> shard.slot() == msgId.slot())
            .toList();
    // Asks the broker here first, so that its failure fails this call and not the worker with its
    // leases.
    shards.forEach(shard -> broker.scheduled(shard, ScheduledMessage.Position.FIRST, 1));
    return shards.stream()
        .anyMatch(
            shard ->
                WorkerReplies.await(
                    workers.admin(shard, admin -> admin.cancelScheduled(shard, msgId))));
  }

  @Override
  public List<HeldLease> leases(Caller caller, Topic topic, int limit) {
    scan();
    return workers.admin(admin -> admin.leases(topic.name())).stream()
        .map(WorkerReplies::await)
        .flatMap(List::stream)
        .toList();
  }

  /** Has the workers look at their leases, some in each step. */
  void scan() {
    boolean isDone = false;
    // Each round looks at one more lease at least; a worker may begin again while others go on.
    for (long left = limits.inflight(); left >= 0 && !isDone; left--) {
      isDone =
          workers.admin(ShardAdmin::scanLeases).stream()
              .map(WorkerReplies::await)
              .reduce(true, Boolean::logicalAnd);
    }
  }

  @Override
  public long withdraw(Caller caller, Topic topic, LeaseSelection which) {
    return withdraw(lease -> isOf(topic, which, lease));
  }

  /** Whether a lease is among those of a topic that were selected. */
  static boolean isOf(Topic topic, LeaseSelection which, Holding lease) {
    return lease.topicName().equals(topic.name())
        && which.has(lease.holder().id().nonce(), lease.msgId());
  }

  /** Ends some in each step of a worker, so that other calls come in between. */
  long withdraw(Predicate<Holding> which) {
    long ended = 0;
    List<Integer> step = List.of(ShardAdmin.MOST_WITHDRAWN);
    // A topic whose consumers keep leasing would have no end.
    for (long left = limits.inflight();
        left > 0 && isMore(step);
        left -= ShardAdmin.MOST_WITHDRAWN) {
      step =
          workers.admin(admin -> admin.withdraw(which)).stream().map(WorkerReplies::await).toList();
      ended += step.stream().mapToLong(Integer::longValue).sum();
    }
    return ended;
  }

  private static boolean isMore(List<Integer> step) {
    return step.stream().anyMatch(ended -> ended == ShardAdmin.MOST_WITHDRAWN);
  }

  @Override
  public void followLedger(Caller caller, Topic topic, int shard) {
    ledgers.follow(new LedgerId(topic.id(), shard));
  }
}
