package org.svcmailbox.core.delivery;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.MsgId;

/**
 * Selects leases of one topic; both null for all.
 *
 * @param holder the nonce of a capability with everything narrowed from it
 * @param messages at most {@link HoldingService#MOST_LEASES}
 */
public record LeaseSelection(@Nullable String holder, @Nullable Set<MsgId> messages) {
  public static final LeaseSelection ALL = new LeaseSelection(null, null);

  public static LeaseSelection of(String holder) {
    return new LeaseSelection(holder, null);
  }

  public static LeaseSelection of(Set<MsgId> messages) {
    return new LeaseSelection(null, Set.copyOf(messages));
  }

  /** Whether it selects the lease of a message. */
  public boolean has(String nonce, MsgId message) {
    return (holder == null || holder.equals(nonce))
        && (messages == null || messages.contains(message));
  }

  /** For the audit log. */
  @Override
  public String toString() {
    if (holder != null) {
      return "nonce " + holder;
    }
    return messages != null ? "messages " + messages.stream().sorted().toList() : "all";
  }
}
