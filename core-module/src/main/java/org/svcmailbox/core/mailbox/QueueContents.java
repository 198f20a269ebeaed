package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/** Reads and removes the messages of topics. Changes are audited first. Any thread. */
final class QueueContents implements TopicContents {
  private static final Logger LOG = System.getLogger(QueueContents.class.getName());

  /** Bounds one turn of a worker, so that other work gets its turn. */
  private static final int PURGED_AT_ONCE = 500;

  private static final Comparator<Envelope> BY_PLACE =
      Comparator.comparingInt(Envelope::shard).thenComparingLong(Envelope::seq);

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Broker broker;
  private final AdminAudit audit;

  QueueContents(TopicDirectory topics, WorkerPool workers, Broker broker, AdminAudit audit) {
    this.topics = topics;
    this.workers = workers;
    this.broker = broker;
    this.audit = audit;
  }

  @Override
  public List<StoredMessage> peek(
      Caller caller, TopicName name, @Nullable Integer shard, int limit) {
    caller.require(Operation.PEEK, name);
    Topic topic = topics.existing(name);
    if (shard != null && shard >= topic.state().liveShards()) {
      throw new NotFoundException(name + " has no shard " + shard);
    }
    return workers.admin(admin -> admin.peek(topic, shard, limit)).stream()
        .map(WorkerReplies::await)
        .flatMap(List::stream)
        .sorted(Comparator.comparing(StoredMessage::envelope, BY_PLACE))
        .limit(limit)
        .toList();
  }

  @Override
  public long purge(Caller caller, TopicName name) {
    caller.require(Operation.ADMIN, name);
    Topic topic = topics.existing(name);
    audit.note(caller, "topic.purge", name, "");
    long purged = topic.shards().stream().mapToLong(this::purge).sum();
    LOG.log(Level.INFO, "Purged {0}: {1} messages", name, purged);
    return purged;
  }

  @Override
  public ScheduledPage scheduled(
      Caller caller, TopicName name, ScheduledMessage.Position after, int limit) {
    caller.require(Operation.PEEK, name);
    List<ScheduledMessage> behind =
        topics.existing(name).shards().stream()
            .flatMap(shard -> broker.scheduled(shard, after, limit + 1).stream())
            .sorted(ScheduledMessage.ORDER)
            .limit(limit + 1L)
            .toList();
    List<ScheduledMessage> page = behind.subList(0, Math.min(limit, behind.size()));
    boolean isLast = page.size() == behind.size();
    return new ScheduledPage(page, isLast ? null : page.get(limit - 1).position());
  }

  @Override
  public void cancelScheduled(Caller caller, TopicName name, MsgId msgId) {
    caller.require(Operation.ADMIN, name);
    topics.existing(name);
    audit.note(caller, "topic.cancel", name, msgId.toString());
    List<ShardId> shards =
        topics.openShards(name).stream().filter(shard -> shard.slot() == msgId.slot()).toList();
    // Asks the broker here first, so that its failure fails this call and not the worker with its
    // leases.
    shards.forEach(shard -> broker.scheduled(shard, ScheduledMessage.Position.FIRST, 1));
    boolean wasThere =
        shards.stream()
            .anyMatch(
                shard ->
                    WorkerReplies.await(
                        workers.admin(shard, admin -> admin.cancelScheduled(shard, msgId))));
    if (!wasThere) {
      throw new NotFoundException("no message " + msgId + " of " + name + " waits for its time");
    }
  }

  private long purge(ShardId shard) {
    // At most as many as there are now, because others may continue to send.
    long most = broker.messages(shard);
    long purged = 0;
    int got = 1;
    while (got > 0 && purged < most) {
      int atOnce = (int) Math.min(PURGED_AT_ONCE, most - purged);
      got = WorkerReplies.await(workers.admin(shard, admin -> admin.purge(shard, atOnce)));
      purged += got;
    }
    long scheduled = broker.removeScheduled(shard);
    if (scheduled > 0) {
      WorkerReplies.await(workers.admin(shard, admin -> admin.recount(shard)));
    }
    return purged + scheduled;
  }
}
