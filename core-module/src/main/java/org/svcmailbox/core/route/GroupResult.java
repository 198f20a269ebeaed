package org.svcmailbox.core.route;

import java.util.List;
import java.util.Set;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.message.StoredMessage;

/**
 * The outcome of a task on one node.
 *
 * @param groups for which it is whole: the node served them from its beginning to its end
 * @param messages of a peek
 * @param leases of a list
 * @param count of messages removed, or leases ended
 * @param isMore whether time was over before the end
 */
public record GroupResult(
    Set<Integer> groups,
    List<StoredMessage> messages,
    List<HeldLease> leases,
    long count,
    boolean isMore) {
  /** Copies the collections. */
  public GroupResult {
    groups = Set.copyOf(groups);
    messages = List.copyOf(messages);
    leases = List.copyOf(leases);
  }

  /** The outcome of a task that only waits. */
  public static GroupResult done(Set<Integer> groups) {
    return counted(groups, 0, false);
  }

  public static GroupResult messages(Set<Integer> groups, List<StoredMessage> messages) {
    return new GroupResult(groups, messages, List.of(), 0, false);
  }

  public static GroupResult leases(Set<Integer> groups, List<HeldLease> leases) {
    return new GroupResult(groups, List.of(), leases, 0, false);
  }

  public static GroupResult counted(Set<Integer> groups, long count, boolean isMore) {
    return new GroupResult(groups, List.of(), List.of(), count, isMore);
  }
}
