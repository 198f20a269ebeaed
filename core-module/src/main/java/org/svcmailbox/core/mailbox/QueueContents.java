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
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** Reads and removes the messages of topics. Changes are audited first. Any thread. */
final class QueueContents implements TopicContents {
  private static final Logger LOG = System.getLogger(QueueContents.class.getName());

  private final TopicDirectory topics;
  private final OwnerTasks owners;
  private final Broker broker;
  private final AdminAudit audit;

  QueueContents(TopicDirectory topics, OwnerTasks owners, Broker broker, AdminAudit audit) {
    this.topics = topics;
    this.owners = owners;
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
    return owners.peek(caller, topic, shard, limit).stream()
        .sorted(Comparator.comparing(StoredMessage::envelope, GroupTasks.BY_PLACE))
        .limit(limit)
        .toList();
  }

  @Override
  public long purge(Caller caller, TopicName name) {
    caller.require(Operation.ADMIN, name);
    Topic topic = topics.existing(name);
    audit.note(caller, "topic.purge", name, "");
    long purged = owners.purge(caller, topic);
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
    Topic topic = topics.existing(name);
    audit.note(caller, "topic.cancel", name, msgId.toString());
    if (!owners.cancelScheduled(caller, topic, msgId)) {
      throw new NotFoundException("no message " + msgId + " of " + name + " waits for its time");
    }
  }
}
