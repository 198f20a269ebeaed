package org.svcmailbox.ejb.delivery;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * The batch marks of versions before the log of batches (ADR 48): a ring queue with the numbers of
 * a worker's last batches. A new log begins with the highest of them. Remove this class, and {@code
 * mailbox.batch} in {@link QueueNames}, in the next release.
 */
final class BatchMarks {
  /** A mark's number. */
  static final SimpleString NUMBER = SimpleString.of("mailbox_batch");

  private final BrokerAdmin admin;

  BatchMarks(BrokerAdmin admin) {
    this.admin = admin;
  }

  /** The last batch that was marked, 0 if none ever was. */
  long last(int worker) {
    AtomicLong last = new AtomicLong();
    admin.browse(
        QueueNames.batchMarks(worker), NUMBER, number -> last.accumulateAndGet(number, Math::max));
    return last.get();
  }

  /** Removes the marks; the log has their number on disk. Nothing happens if there are none. */
  void remove(int worker) {
    SimpleString marks = QueueNames.batchMarks(worker);
    if (admin.exists(marks)) {
      admin.delete(marks);
    }
  }
}
