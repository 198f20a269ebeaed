package org.svcmailbox.core.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.IntPredicate;
import org.svcmailbox.core.worker.handover.HandedLease;
import org.svcmailbox.core.worker.handover.HandoverCodec;
import org.svcmailbox.core.worker.handover.LeasedExpiry;
import org.svcmailbox.core.worker.handover.Takeover;
import org.svcmailbox.core.worker.send.GroupLogs;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Writes the leases that are left into the batch logs of their groups, for the next owner: a later
 * start of this process, or another process. Part of one worker.
 */
final class LeaseHandover {
  /** How long holders may settle before their leases are handed over. */
  static final Duration SETTLING = Duration.ofSeconds(1);

  private final WorkerContext context;
  private final GroupLogs logs;
  private final Takeover takeover;
  private final LeasedExpiry expiry;

  LeaseHandover(WorkerContext context, GroupLogs logs, Takeover takeover) {
    this.context = context;
    this.logs = logs;
    this.takeover = takeover;
    this.expiry = new LeasedExpiry(context);
  }

  /** Whether there is a lease to hand over. */
  boolean hasLeft(IntPredicate slots) {
    return takeover.left(slots).findAny().isPresent();
  }

  /** How many leases there are to hand over. */
  int left(IntPredicate slots) {
    return (int) takeover.left(slots).count();
  }

  /**
   * Writes the leases and commits. Only between transactions. The leases must not be used here
   * afterwards.
   *
   * @param slots the routing slots whose leases are meant
   * @param longest the longest time until the next owner has their messages
   * @return whether they are written; false if a log takes no entries now, and nothing was done
   */
  boolean write(IntPredicate slots, Duration longest) {
    List<HandedLease> leases = takeover.left(slots).toList();
    if (leases.isEmpty()) {
      return true;
    }
    if (!logs.stageHandover(leases, lease -> lease.msgId().slot(), HandoverCodec::encode)) {
      return false;
    }
    expiry.stage(slots, longest);
    context.commit();
    return true;
  }
}
