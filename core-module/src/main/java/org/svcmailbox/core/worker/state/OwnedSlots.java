package org.svcmailbox.core.worker.state;

import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.topic.ShardId;

/** A worker's place among all workers. It owns the shards whose routing slots map to it. */
public record OwnedSlots(WorkerId worker, int workers) {
  boolean owns(ShardId shard) {
    return ofSlot(shard.slot(), workers) == worker.number();
  }

  /** The number of the worker of a routing slot. */
  public static int ofSlot(int slot, int workers) {
    return slot % workers;
  }
}
