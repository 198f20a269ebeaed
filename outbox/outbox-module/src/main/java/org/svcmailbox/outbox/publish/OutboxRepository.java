package org.svcmailbox.outbox.publish;

import java.util.List;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;

/**
 * The events of the outbox within one {@link OutboxTransaction}. Changes take effect together when
 * it commits.
 */
public interface OutboxRepository {
  /**
   * Claims the next unpublished events, oldest first. Until the transaction ends, no other
   * transaction claims an event of these aggregates. Leaves out aggregates that a parked event
   * holds back.
   *
   * @return at most 1,000 events with at most 8 MiB of payload, or one larger event
   */
  List<OutboxEvent> findUnpublished();

  /** Sets {@code published_at} and adds one to {@code publish_attempts}, if it is not published. */
  void markPublished(MessageId id);

  /** Adds one to {@code publish_attempts} and sets {@code publish_error}. */
  void incrementAttempts(MessageId id, String error);
}
