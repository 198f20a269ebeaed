package org.svcmailbox.core.delivery;

import java.util.List;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.Row;

/** Batches whose number is all that matters. */
public final class SampleBatch {
  private static final long STAMP = 0x5EED;

  private SampleBatch() {}

  /** A batch of the one history that these have. */
  public static Batch of(int worker, long number, List<Row> rows) {
    return new Batch(worker, id(number), rows);
  }

  /** Its id. */
  public static BatchId id(long number) {
    return number == 0 ? BatchId.NONE : new BatchId(number, STAMP);
  }
}
