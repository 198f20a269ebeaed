package org.svcmailbox.core.worker.state;

import java.util.List;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.topic.ShardId;

/**
 * A worker's place among all workers. It owns the groups that map to it, and their shards.
 *
 * @param worker its name among the workers
 */
public record OwnedSlots(WorkerId worker, Groups among) {
  boolean owns(ShardId shard) {
    return among.workerOf(shard.slot()) == worker.number();
  }

  /** The worker's groups, each named by its log. */
  public List<WorkerId> groups() {
    return among.of(worker.number());
  }

  /** The group of one of its routing slots. */
  public WorkerId groupOf(int slot) {
    return among.groupOf(slot);
  }
}
