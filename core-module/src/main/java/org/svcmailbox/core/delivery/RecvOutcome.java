package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.core.message.StoredMessage;

/** The answer to a RECV. */
public sealed interface RecvOutcome permits RecvOutcome.Delivered, Refusal {
  /** A message whose lease lasts for {@code visibility} from when it was taken. */
  record LeasedMessage(StoredMessage message, Receipt receipt, Duration visibility) {}

  /** Messages in order within each shard; may be empty. */
  record Delivered(List<LeasedMessage> messages) implements RecvOutcome {
    public static final Delivered NONE = new Delivered(List.of());
  }
}
