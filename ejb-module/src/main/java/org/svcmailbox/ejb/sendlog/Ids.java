package org.svcmailbox.ejb.sendlog;

import java.util.UUID;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * The 128-bit ids of the domain as the 128-bit type that a database knows; same bits, no meaning.
 */
final class Ids {
  private Ids() {}

  static UUID of(IdempotencyKey key) {
    return new UUID(key.high(), key.low());
  }

  static UUID of(MsgId msgId) {
    return new UUID(msgId.high(), msgId.low());
  }

  static IdempotencyKey key(UUID id) {
    return new IdempotencyKey(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }

  static MsgId msgId(UUID id) {
    return new MsgId(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }
}
