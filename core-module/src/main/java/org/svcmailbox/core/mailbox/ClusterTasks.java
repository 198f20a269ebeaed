package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.route.GroupOwners;
import org.svcmailbox.core.route.GroupTask;
import org.svcmailbox.core.route.OwnerAwayException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** Has the nodes with the groups of a topic carry out parts of operators' calls. Any thread. */
final class ClusterTasks implements OwnerTasks {
  private final GroupOwners owners;
  private final Broker broker;

  ClusterTasks(GroupOwners owners, Broker broker) {
    this.owners = owners;
    this.broker = broker;
  }

  private Set<Integer> groups(List<ShardId> shards) {
    return shards.stream().map(shard -> owners.groupOf(shard.slot())).collect(toSet());
  }

  @Override
  public List<StoredMessage> peek(Caller caller, Topic topic, @Nullable Integer shard, int limit) {
    List<ShardId> asked = shard == null ? topic.shards() : List.of(topic.shard(shard));
    List<StoredMessage> all = new ArrayList<>();
    owners.ask(
        caller,
        groups(asked),
        new GroupTask.Peek(topic.name(), shard, limit),
        result -> all.addAll(result.messages()));
    return all;
  }

  @Override
  public long purge(Caller caller, Topic topic) {
    // At most as many as there are now, because others may continue to send.
    long most = topic.shards().stream().mapToLong(broker::messages).sum();
    AtomicLong purged = new AtomicLong();
    return changed(
        purged,
        "removed",
        () -> {
          Set<Integer> left = groups(topic.shards());
          while (!left.isEmpty()) {
            left = purgeSome(caller, topic, left, purged, most);
          }
        });
  }

  /** Returns the groups of nodes that did not come to an end. */
  private Set<Integer> purgeSome(
      Caller caller, Topic topic, Set<Integer> groups, AtomicLong purged, long most) {
    Set<Integer> left = new HashSet<>();
    owners.ask(
        caller,
        groups,
        new GroupTask.Purge(topic.name()),
        result -> {
          if (purged.addAndGet(result.count()) < most && result.isMore()) {
            left.addAll(result.groups());
          }
        });
    return left;
  }

  @Override
  public boolean cancelScheduled(Caller caller, Topic topic, MsgId msgId) {
    AtomicLong removed = new AtomicLong();
    owners.ask(
        caller,
        Set.of(owners.groupOf(msgId.slot())),
        new GroupTask.Cancel(topic.name(), msgId),
        result -> removed.addAndGet(result.count()));
    return removed.get() > 0;
  }

  @Override
  public List<HeldLease> leases(Caller caller, Topic topic, int limit) {
    List<HeldLease> all = new ArrayList<>();
    owners.ask(
        caller,
        groups(topic.shards()),
        new GroupTask.ListLeases(topic.name(), limit),
        result -> all.addAll(result.leases()));
    return all;
  }

  @Override
  public long withdraw(Caller caller, Topic topic, LeaseSelection which) {
    AtomicLong ended = new AtomicLong();
    return changed(
        ended,
        "ended",
        () ->
            owners.ask(
                caller,
                groups(topic.shards()),
                new GroupTask.EndLeases(topic.name(), which),
                result -> ended.addAndGet(result.count())));
  }

  /** A change that stops half-way says how far it came; it can be repeated. */
  private static long changed(AtomicLong count, String verb, Runnable change) {
    try {
      change.run();
      return count.get();
    } catch (MailboxException e) {
      throw count.get() == 0
          ? e
          : OwnerAwayException.partly("%d %s so far".formatted(count.get(), verb), e);
    }
  }

  @Override
  public void followLedger(Caller caller, Topic topic, int shard) {
    owners.ask(
        caller,
        groups(List.of(new ShardId(topic.name(), shard))),
        new GroupTask.FollowLedger(topic.name(), shard),
        result -> {});
  }
}
