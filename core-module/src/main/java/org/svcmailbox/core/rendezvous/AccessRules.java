package org.svcmailbox.core.rendezvous;

import java.util.List;
import org.svcmailbox.core.capability.IpRange;

/**
 * Lists and rates that an operator changes while the door is open. Blocking wins over allowing.
 *
 * @param allow addresses without rates, waiter limits and shares; they authenticate like others
 * @param block addresses that are refused
 * @param postsPerMinute of one address
 * @param getsPerMinute of one address
 * @param windowSeconds a bucket holds the rate of so long
 */
public record AccessRules(
    List<IpRange> allow,
    List<IpRange> block,
    int postsPerMinute,
    int getsPerMinute,
    int windowSeconds) {
  /** The most ranges of one list. */
  public static final int MAX_RANGES = 1_000;

  public AccessRules {
    allow = List.copyOf(allow);
    block = List.copyOf(block);
  }
}
