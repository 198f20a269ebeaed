package org.svcmailbox.core.rendezvous;

import java.util.List;
import org.svcmailbox.capability.IpRange;

/**
 * Operator rules for addresses; blocking takes precedence over allowing. Allowed addresses have no
 * rates, waiter limits or shares, but must still authenticate. Rates are per address, and a bucket
 * holds the calls of {@code windowSeconds}.
 */
public record AccessRules(
    List<IpRange> allow,
    List<IpRange> block,
    int postsPerMinute,
    int getsPerMinute,
    int windowSeconds) {
  public static final int MAX_RANGES = 1_000;

  public AccessRules {
    allow = List.copyOf(allow);
    block = List.copyOf(block);
  }
}
