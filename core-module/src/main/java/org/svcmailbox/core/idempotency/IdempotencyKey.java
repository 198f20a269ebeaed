package org.svcmailbox.core.idempotency;

import java.nio.ByteBuffer;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.topic.Topic;

/**
 * Identifies a SEND: 128 bits of a hash over the topic's id and the client's key. It keeps rows
 * narrow, and a recreated topic inherits no keys.
 */
public record IdempotencyKey(long high, long low) {
  public static final int BYTES = 16;

  private static final String DOMAIN = "mailbox.idempotency.v1";

  /** The key of {@code idemKey} within {@code topic}. */
  public static IdempotencyKey of(Topic topic, IdemKey idemKey) {
    byte[] digest = Blake3.domain(DOMAIN).count(topic.id()).text(idemKey.value()).finish().bytes();
    return ofBuffer(ByteBuffer.wrap(digest));
  }

  /** Reads the 16-byte form. */
  public static IdempotencyKey ofBytes(byte[] bytes) {
    return ofBuffer(ByteBuffer.wrap(bytes));
  }

  /** The 16-byte form. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  private static IdempotencyKey ofBuffer(ByteBuffer buffer) {
    return new IdempotencyKey(buffer.getLong(), buffer.getLong());
  }
}
