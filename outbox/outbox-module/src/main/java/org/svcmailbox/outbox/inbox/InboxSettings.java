package org.svcmailbox.outbox.inbox;

import java.time.Duration;
import org.svcmailbox.client.MailboxNames;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.OutboxException;

/**
 * How events are handled.
 *
 * @param context the bounded context that handles them
 * @param consumer the name of the consumer, usually the topic. Each consumer of a database handles
 *     an event once. Processes that share the work use the same name
 * @param ackWait the time after which a message that is still being handled is delivered again
 * @param maxDeliver how many deliveries the topic permits
 * @param maxInFlight the most messages that are held at a time
 */
public record InboxSettings(
    String context, String consumer, Duration ackWait, int maxDeliver, int maxInFlight) {
  /**
   * Checks the values.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} if they cannot be used
   */
  public InboxSettings {
    require(EventSubject.isName(context), "context is no name: " + context);
    require(MailboxNames.isValid(consumer), "consumer is no name of a topic: " + consumer);
    require(!ackWait.isZero() && !ackWait.isNegative(), "ackWait must be positive");
    require(maxDeliver >= 1, "maxDeliver must be at least 1");
    require(maxInFlight >= 1 && maxInFlight <= 100, "maxInFlight must be from 1 to 100");
  }

  /** The specification's values: 2 min, 20 deliveries, 50 messages. */
  public static InboxSettings of(String context, String consumer) {
    return new InboxSettings(context, consumer, Duration.ofMinutes(2), 20, 50);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new OutboxException(ErrorCode.INVALID_CONFIG, what);
    }
  }
}
