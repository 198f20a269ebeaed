package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toSet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.route.GroupResult;
import org.svcmailbox.core.route.GroupTask;
import org.svcmailbox.core.route.GroupWorker;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.state.GroupsHere;

/**
 * Carries out operators' tasks for groups of this process. A result counts for the groups that it
 * had from the beginning of the task to its end, because another node may have changed the others.
 */
final class GroupTasks implements GroupWorker {
  /** A purge ends after this time and is asked for again, so that its answer comes. */
  static final Duration PURGING = Duration.ofSeconds(2);

  static final Comparator<Envelope> BY_PLACE =
      Comparator.comparingInt(Envelope::shard).thenComparingLong(Envelope::seq);

  static final Comparator<HeldLease> BY_AGE =
      Comparator.comparing(HeldLease::leasedAt).thenComparing(HeldLease::msgId);

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final GroupsHere here;
  private final OwnTasks own;
  private final Ticker ticker;

  GroupTasks(
      TopicDirectory topics, WorkerPool workers, GroupsHere here, OwnTasks own, Ticker ticker) {
    this.topics = topics;
    this.workers = workers;
    this.here = here;
    this.own = own;
    this.ticker = ticker;
  }

  @Override
  public GroupResult carryOut(Caller caller, Set<Integer> groups, GroupTask task) {
    require(caller, task);
    Topic topic = topics.existing(task.topic());
    IntPredicate isHere =
        task instanceof GroupTask.FollowLedger
            ? group -> workers.holds(WorkerId.of(group))
            : group -> here.serves(WorkerId.of(group));
    Set<Integer> before = only(groups, isHere);
    GroupResult result =
        before.isEmpty() ? GroupResult.done(before) : run(caller, topic, before, task);
    return whole(result, only(before, isHere));
  }

  private static void require(Caller caller, GroupTask task) {
    if (task instanceof GroupTask.Peek) {
      caller.require(Operation.PEEK, task.topic());
    } else if (task instanceof GroupTask.ListLeases || task instanceof GroupTask.FollowLedger) {
      caller.requireEither(Operation.PEEK, Operation.ADMIN, task.topic());
    } else {
      caller.require(Operation.ADMIN, task.topic());
    }
  }

  private static Set<Integer> only(Set<Integer> groups, IntPredicate isHere) {
    return groups.stream().filter(isHere::test).collect(toSet());
  }

  private GroupResult run(Caller caller, Topic topic, Set<Integer> groups, GroupTask task) {
    if (task instanceof GroupTask.Peek peek) {
      return GroupResult.messages(
          groups, first(own.peek(caller, topic, peek.shard(), peek.limit()), groups, peek.limit()));
    } else if (task instanceof GroupTask.Purge) {
      return purge(topic, groups);
    } else if (task instanceof GroupTask.Cancel cancel) {
      boolean wasThere = own.cancelScheduled(caller, topic, cancel.msgId());
      return GroupResult.counted(groups, wasThere ? 1 : 0, false);
    } else if (task instanceof GroupTask.ListLeases list) {
      return GroupResult.leases(
          groups,
          own.leases(caller, topic, list.limit()).stream()
              .filter(lease -> groups.contains(groupOf(lease.msgId())))
              .sorted(BY_AGE)
              .limit(list.limit())
              .toList());
    } else if (task instanceof GroupTask.EndLeases end) {
      return GroupResult.counted(
          groups,
          own.withdraw(
              lease ->
                  groups.contains(groupOf(lease.msgId()))
                      && OwnTasks.isOf(topic, end.which(), lease)),
          false);
    }
    own.followLedger(caller, topic, ((GroupTask.FollowLedger) task).shard());
    return GroupResult.done(groups);
  }

  private int groupOf(MsgId msgId) {
    return here.among().groupOf(msgId.slot()).number();
  }

  /** The first messages, which fit into a frame. */
  private List<StoredMessage> first(List<StoredMessage> seen, Set<Integer> groups, int limit) {
    List<StoredMessage> sorted =
        seen.stream()
            .filter(one -> groups.contains(groupOf(one.envelope().msgId())))
            .sorted(Comparator.comparing(StoredMessage::envelope, BY_PLACE))
            .limit(limit)
            .toList();
    List<StoredMessage> first = new ArrayList<>();
    long bytes = 0;
    for (StoredMessage message : sorted) {
      bytes += message.payload().size();
      if (!first.isEmpty() && bytes > PeerCodec.FULL) {
        break;
      }
      first.add(message);
    }
    return first;
  }

  private GroupResult purge(Topic topic, Set<Integer> groups) {
    long until = ticker.nanos() + PURGING.toNanos();
    List<ShardId> shards =
        topic.shards().stream()
            .filter(shard -> groups.contains(here.among().groupOf(shard.slot()).number()))
            .toList();
    long purged = shards.stream().mapToLong(own::purgeScheduled).sum();
    boolean isMore = false;
    for (ShardId shard : shards) {
      int got;
      do {
        got = own.purgeSome(shard, Long.MAX_VALUE);
        purged += got;
      } while (got > 0 && until - ticker.nanos() > 0);
      isMore |= got > 0;
    }
    return GroupResult.counted(groups, purged, isMore);
  }

  /** The part of a result for these groups; what was changed for others counts all the same. */
  private GroupResult whole(GroupResult result, Set<Integer> groups) {
    return new GroupResult(
        groups,
        result.messages().stream()
            .filter(one -> groups.contains(groupOf(one.envelope().msgId())))
            .toList(),
        result.leases().stream().filter(lease -> groups.contains(groupOf(lease.msgId()))).toList(),
        result.count(),
        result.isMore());
  }
}
