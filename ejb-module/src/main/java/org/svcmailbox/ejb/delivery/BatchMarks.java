package org.svcmailbox.ejb.delivery;

import java.time.Instant;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;

/**
 * The layout of batch marks: small durable messages with nothing but a number, sent in the
 * transaction of their batch to a ring queue of the worker, where the broker keeps the last few.
 *
 * <p>Nobody receives them, on purpose. A mark that was acknowledged by a newer one's transaction
 * would be out of sight for the redelivery delay when that transaction fails, and one that is
 * merely delivered would be so until the broker has noticed that its receiver is gone; either would
 * make the last committed batch look as if it had never been.
 */
final class BatchMarks {
  /** A mark's number. */
  static final SimpleString NUMBER = SimpleString.of("mailbox_batch");

  /** How many marks the broker keeps; one would do, but for the moment of the change. */
  static final long RING_SIZE = 4;

  private BatchMarks() {}

  static CoreMessage encode(long batchNo, Instant now) {
    CoreMessage mark = MessageCodec.durable(now);
    mark.putLongProperty(NUMBER, batchNo);
    return mark;
  }
}
