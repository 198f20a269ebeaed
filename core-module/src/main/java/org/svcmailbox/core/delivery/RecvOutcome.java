package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.message.StoredMessage;

/** The answer to a RECV. */
public sealed interface RecvOutcome permits RecvOutcome.Delivered, Refusal {
  /**
   * A message with a lease.
   *
   * @param visibility the lease's length when it was taken
   */
  record LeasedMessage(StoredMessage message, Receipt receipt, Duration visibility) {}

  /** Messages in order within each shard; possibly none. */
  record Delivered(List<LeasedMessage> messages) implements RecvOutcome {
    public static final Delivered NONE = new Delivered(List.of());
  }
}
