package org.svcmailbox.core.worker.state;

import java.util.List;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.topic.ShardId;

/**
 * A worker's place among all workers. It owns the groups that map to it, and their shards.
 *
 * @param worker its name among the workers
 */
public record OwnedSlots(WorkerId worker, GroupsHere here) {
  /** The place in a process that is alone. */
  public OwnedSlots(WorkerId worker, Groups among) {
    this(worker, GroupsHere.all(among));
  }

  /** Whether the worker serves a shard now. */
  boolean owns(ShardId shard) {
    return isOurs(shard) && here.serves(shard.slot());
  }

  /** Whether the worker may lease a shard's messages now. */
  boolean leases(ShardId shard) {
    return isOurs(shard) && here.leases(shard.slot());
  }

  private boolean isOurs(ShardId shard) {
    return here.among().workerOf(shard.slot()) == worker.number();
  }

  /** The worker's groups, here or not, each named by its log. */
  public List<WorkerId> groups() {
    return here.among().of(worker.number());
  }

  /** The group of one of its routing slots. */
  public WorkerId groupOf(int slot) {
    return here.among().groupOf(slot);
  }
}
