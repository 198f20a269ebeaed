package org.svcmailbox.core.idempotency;

import java.time.Instant;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;

/**
 * A key that is taken.
 *
 * @param msgId the message that took it
 * @param payloadHash that message's payload
 * @param expiresAt when the key becomes free again
 */
public record Reservation(MsgId msgId, Digest payloadHash, Instant expiresAt) {

  /** Whether the key is still taken. */
  public boolean isLive(Instant now) {
    return expiresAt.isAfter(now);
  }
}
