package org.svcmailbox.outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.OutboxHistory;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.Replay;

/**
 * Operators' changes to an outbox. Each needs a note, and writes a row of {@code outbox_audit} in
 * the same transaction. All methods throw {@link OutboxStoreException} if the database is away.
 */
public interface OutboxAdmin {
  /** The most events that one call lists or changes. */
  int MAX_EVENTS = 1_000;

  /**
   * An event that waits for an operator.
   *
   * @param event the event
   * @param code why it is parked
   * @param error the reason in words
   */
  record Parked(OutboxEvent event, ErrorCode code, String error) {}

  /**
   * An unpublished event.
   *
   * @param event the event
   * @param code why it is parked; empty if it waits for its turn or for a topic
   */
  record Unpublished(OutboxEvent event, Optional<ErrorCode> code) {}

  /**
   * Selects events; empty criteria match all.
   *
   * @param code why they are parked
   * @param error a part of the reason, or of the last error, in any case
   * @param olderThan the least time since they were parked, or occurred
   */
  record Filter(Optional<ErrorCode> code, Optional<String> error, Duration olderThan) {
    /** All of them. */
    public static final Filter ALL = new Filter(Optional.empty(), Duration.ZERO);

    /** A filter for any words. */
    public Filter(Optional<ErrorCode> code, Duration olderThan) {
      this(code, Optional.empty(), olderThan);
    }
  }

  /**
   * Lists parked events by reason and the time of parking, oldest first, at most {@link
   * #MAX_EVENTS}.
   */
  List<Parked> parked(Filter filter);

  /**
   * Lists the events that are not published, parked or not, by the last error and the time they
   * occurred, oldest first, at most {@link #MAX_EVENTS}.
   */
  List<Unpublished> unpublished(Filter filter);

  /**
   * Returns parked events to publishing. Their number of attempts stays.
   *
   * @return how many, at most {@link #MAX_EVENTS}
   */
  int retry(Filter filter, Operator operator);

  /**
   * Returns one parked event to publishing.
   *
   * @return whether it was parked
   */
  boolean retry(MessageId id, Operator operator);

  /**
   * Moves a parked event to the audit: it is never published, and no longer holds back its
   * aggregate.
   *
   * @return whether it was parked
   */
  boolean skip(MessageId id, Operator operator);

  /**
   * Publishes a published event once more. Within the service's key window, a topic that already
   * has it answers with a duplicate.
   *
   * @return whether it was published
   */
  boolean republish(MessageId id, Operator operator);

  /**
   * Records a copy of an event with a new id and the current time. No topic treats it as a
   * duplicate, and each inbox handles it.
   *
   * @return the id of the copy; empty if there is no such event
   */
  Optional<MessageId> republishAsNew(MessageId id, Operator operator);

  /**
   * Opens the published events, without those that an operator skipped, for a replay to one topic.
   * The audit names the topic; {@link Replay} sends the events.
   *
   * @param since events that were published before are left out
   */
  OutboxHistory replay(String topic, Instant since, Operator operator);

  /**
   * Records a command that another part carries out. The row says that the command was given, not
   * that it succeeded.
   *
   * @param action the command, in a word
   * @param id the event or message that it is for
   */
  void note(String action, MessageId id, Operator operator);

  /**
   * The person who changes something.
   *
   * @param name the person's name; 1 to 255 characters
   * @param note the reason; 1 to 1,024 characters
   */
  record Operator(String name, String note) {
    /**
     * Checks the texts.
     *
     * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} if one is empty or too long
     */
    public Operator {
      if (name.isBlank() || name.length() > 255 || note.isBlank() || note.length() > 1_024) {
        throw new OutboxException(
            ErrorCode.INVALID_CONFIG, "a change needs a name and a note of 1 to 1,024 characters");
      }
    }
  }
}
