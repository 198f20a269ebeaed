package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A checked SEND.
 *
 * @param delay how long the message stays hidden at first, zero to seven days
 */
public record SendRequest(
    TopicName topic,
    Payload payload,
    IdemKey idemKey,
    Attributes attrs,
    @Nullable CorrId corrId,
    @Nullable ShardKey shardKey,
    Duration delay,
    @Nullable Signature sig) {

  /** The longest delay. */
  public static final Duration MAX_DELAY = Duration.ofDays(7);

  public SendRequest {
    if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw new SchemaException("delay_ms", "must be between 0 and " + MAX_DELAY.toMillis());
    }
  }
}
