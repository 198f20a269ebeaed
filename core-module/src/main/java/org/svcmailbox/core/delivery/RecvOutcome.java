package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;

/** What a RECV was answered with. */
public sealed interface RecvOutcome permits RecvOutcome.Delivered, Refusal {
  /**
   * One message and the right to settle it.
   *
   * @param visibility how long the lease lasts from the moment it was taken
   */
  record LeasedMessage(StoredMessage message, Receipt receipt, Duration visibility) {}

  /** The messages, in order within each shard; none when there were none in time. */
  record Delivered(List<LeasedMessage> messages) implements RecvOutcome {
    /** Nothing was there. */
    public static final Delivered NONE = new Delivered(List.of());
  }
}
