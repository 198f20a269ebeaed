package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.state.GroupsHere;

/** The groups of a mailbox that is one among several. */
final class MailboxGroups implements NodeGroups {
  private final GroupsHere here;
  private final WorkerPool workers;

  MailboxGroups(GroupsHere here, WorkerPool workers) {
    this.here = here;
    this.workers = workers;
  }

  @Override
  public boolean isFit() {
    return workers.isHealthy();
  }

  @Override
  public Set<Integer> wanted() {
    return here.wanted().stream().map(WorkerId::number).collect(toSet());
  }

  @Override
  public void take(int group) {
    // The next turn repeats what failed.
    CompletableFuture<Boolean> unused = workers.take(WorkerId.of(group));
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
}
