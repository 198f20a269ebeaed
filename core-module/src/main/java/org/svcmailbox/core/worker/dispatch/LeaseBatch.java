package org.svcmailbox.core.worker.dispatch;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.worker.state.Lease;

/**
 * The leases taken for one call, and their payload bytes.
 *
 * @param stoppedBy the limit that prevented more; null if none did
 */
record LeaseBatch(List<Lease> taken, long bytes, InflightLimits.@Nullable Full stoppedBy) {
  LeaseBatch {
    taken = List.copyOf(taken);
  }

  static LeaseBatch empty(InflightLimits.@Nullable Full stoppedBy) {
    return new LeaseBatch(List.of(), 0, stoppedBy);
  }

  int size() {
    return taken.size();
  }

  boolean isEmpty() {
    return taken.isEmpty();
  }

  /** Whether leases of other workers have to end first. */
  boolean needsRoomOfOthers() {
    return stoppedBy != null && stoppedBy != InflightLimits.Full.HOLDER;
  }
}
