package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.cluster.GroupHere;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.state.GroupsHere;

/** The groups of a mailbox that is one among several. */
final class MailboxGroups implements NodeGroups {
  private final GroupsHere here;
  private final WorkerPool workers;
  private final LongSupplier topicsSeen;

  /** Groups whose log the broker lacked when this process last asked. */
  private final Set<Integer> withoutLog = ConcurrentHashMap.newKeySet();

  MailboxGroups(GroupsHere here, WorkerPool workers, LongSupplier topicsSeen) {
    this.here = here;
    this.workers = workers;
    this.topicsSeen = topicsSeen;
  }

  @Override
  public String unfit() {
    return workers.isHealthy()
        ? ""
        : "a shard worker has no broker session, or waits for the broker";
  }

  @Override
  public long topicsSeen() {
    return topicsSeen.getAsLong();
  }

  @Override
  public Set<Integer> wanted() {
    return here.wanted().stream().map(WorkerId::number).collect(toSet());
  }

  @Override
  public void take(int group) {
    // The next turn repeats what failed.
    CompletableFuture<?> unused =
        workers
            .take(WorkerId.of(group))
            .thenAccept(
                hasLog -> {
                  if (hasLog) {
                    withoutLog.remove(group);
                  } else {
                    withoutLog.add(group);
                  }
                });
  }

  @Override
  public void giveAway(int group) {
    CompletableFuture<?> unused = workers.giveAway(WorkerId.of(group));
  }

  @Override
  public Map<Integer, Long> served() {
    return here.served().entrySet().stream()
        .collect(toMap(one -> one.getKey().number(), Map.Entry::getValue));
  }

  @Override
  public GroupHere of(int group) {
    WorkerId id = WorkerId.of(group);
    String trouble = workers.trouble(id);
    if (withoutLog.contains(group)) {
      return GroupHere.closed("the broker has no log of this group");
    }
    return trouble.isEmpty() ? GroupHere.of(state(id)) : GroupHere.closed(trouble);
  }

  private GroupHere.State state(WorkerId group) {
    if (!here.wants(group)) {
      return here.serves(group) ? GroupHere.State.LEAVING : GroupHere.State.AWAY;
    }
    if (!here.serves(group)) {
      return GroupHere.State.ATTACHING;
    }
    return workers.holds(group) ? GroupHere.State.HELD : GroupHere.State.LOADING;
  }
}
