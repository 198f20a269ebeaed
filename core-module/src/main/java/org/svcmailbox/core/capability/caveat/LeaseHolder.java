package org.svcmailbox.core.capability.caveat;

import java.util.List;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Condition;

/**
 * The part of a capability that a lease keeps. It outlives the process that verified the
 * capability.
 *
 * @param ceilings the counts that include the lease
 */
public record LeaseHolder(CapabilityId id, List<Quota<Condition.MaxInflight>> ceilings) {
  /** Copies the list. */
  public LeaseHolder {
    ceilings = List.copyOf(ceilings);
  }
}
