package org.svcmailbox.core.sendlog;

import java.util.List;

/** Batches whose number is all that matters. */
public final class SampleBatch {
  private static final long STAMP = 0x5EED;

  private SampleBatch() {}

  /** A batch of the one history that these have. */
  public static Batch of(int worker, long number, List<Row> rows) {
    return new Batch(worker, id(number), BatchPages.of(rows));
  }

  /** Its id. */
  public static BatchId id(long number) {
    return number == 0 ? BatchId.NONE : new BatchId(number, STAMP);
  }
}
