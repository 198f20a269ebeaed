package org.svcmailbox.outbox.admin;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.DeadLetter;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** Lists the messages of an inbox for operators, for all its consumers. */
public interface InboxAdmin {
  /** The most messages that one call lists. */
  int MAX_MESSAGES = 1_000;

  /** The state of a message. */
  enum State {
    /** Not processed, whether dead or not. */
    UNPROCESSED,
    /** Dead, and not processed since. */
    DEAD,
    /** Any. */
    ANY
  }

  /**
   * A message of a consumer.
   *
   * @param consumer the consumer's name; empty for a message from before consumers had names, which
   *     counts for all
   * @param message its row
   * @param letter its dead letter; kept even if the message was sent again after its death
   */
  record Listed(Optional<String> consumer, InboxMessage message, Optional<DeadLetter> letter) {}

  /**
   * Selects messages; all criteria must hold.
   *
   * @param state the state they are in
   * @param error a part of the last error, in any case; empty matches all
   * @param olderThan the least time since they were first received
   * @param consumer the consumer's name; empty matches all
   */
  record Filter(
      State state, Optional<String> error, Duration olderThan, Optional<String> consumer) {
    /** All messages that are not processed. */
    public static final Filter UNPROCESSED =
        new Filter(State.UNPROCESSED, Optional.empty(), Duration.ZERO, Optional.empty());
  }

  /**
   * Lists messages by the time they were received, oldest first, at most {@link #MAX_MESSAGES}.
   *
   * @throws OutboxStoreException if the database is away
   */
  List<Listed> list(Filter filter);

  /**
   * Lists a message of each consumer that has received it.
   *
   * @throws OutboxStoreException if the database is away
   */
  List<Listed> find(MessageId id);
}
