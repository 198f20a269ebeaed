package org.svcmailbox.outbox.inbox;

import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;

/** The messages of the inbox within one {@link InboxTransaction}. */
public interface InboxRepository {
  /**
   * Records a message, and adds one to its attempts unless it is processed. The earliest time of
   * reception stays, because a consumer with a fast clock must not prevent others from finishing.
   */
  Insertion insert(InboxMessage message);

  /**
   * Sets {@code processed_at}.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_TIMESTAMP} if it would be before {@code
   *     received_at}
   */
  void markProcessed(MessageId id);

  /** Sets {@code last_error}. */
  void recordError(MessageId id, String error);
}
