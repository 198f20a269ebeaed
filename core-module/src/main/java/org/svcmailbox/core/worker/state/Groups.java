package org.svcmailbox.core.worker.state;

import java.util.List;
import java.util.stream.IntStream;
import org.svcmailbox.core.batch.WorkerId;

/**
 * Divides the routing slots among groups, and the groups among the workers of this process. A group
 * is a share of the slots with a batch log of its own, by which it is named. Pure.
 *
 * @param count the number of groups, at least one for each worker
 */
public record Groups(int count, int workers) {
  /** Checks that every worker has a group. */
  public Groups {
    if (workers < 1 || count < workers) {
      throw new IllegalArgumentException(count + " groups of " + workers + " workers");
    }
  }

  /** One group for each worker. */
  public static Groups ofWorkers(int workers) {
    return new Groups(workers, workers);
  }

  /** The group of a routing slot. */
  public WorkerId groupOf(int slot) {
    return WorkerId.of(slot % count);
  }

  /** The number of the worker of a routing slot. */
  public int workerOf(int slot) {
    return slot % count % workers;
  }

  /** The groups of a worker. */
  public List<WorkerId> of(int worker) {
    return IntStream.range(0, count)
        .filter(group -> group % workers == worker)
        .mapToObj(WorkerId::of)
        .toList();
  }
}
