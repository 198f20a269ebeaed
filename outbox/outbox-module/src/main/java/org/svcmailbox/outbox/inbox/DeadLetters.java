package org.svcmailbox.outbox.inbox;

import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;

/** The dead letters of an inbox within one {@link InboxTransaction}: one at most for a message. */
public interface DeadLetters {
  /** The dead letter of a message. */
  Optional<DeadLetter> find(MessageId id);

  /** Writes a dead letter in the place of an earlier one of the same message. */
  void put(DeadLetter letter);

  /** Sets {@code routed_at}. */
  void routed(MessageId id);
}
