package org.svcmailbox.core.sendlog;

import java.util.List;
import org.svcmailbox.core.sendlog.SendLogStore.Advance;
import org.svcmailbox.core.sendlog.SendLogStore.MovedException;

/** Batches whose number is all that matters. */
public final class SampleBatch {
  private static final long STAMP = 0x5EED;

  private SampleBatch() {}

  /** A batch of the one history that these have. */
  public static Batch of(int worker, long number, List<Row> rows) {
    return new Batch(worker, id(number), BatchPages.of(rows));
  }

  /** Applies a batch behind its worker's last one. */
  public static void write(SendLogStore store, Batch batch) {
    try {
      store.apply(
          List.of(new Advance(batch.worker(), store.applied(batch.worker()), List.of(batch))));
    } catch (MovedException e) {
      throw new AssertionError(e);
    }
  }

  /** Its id. */
  public static BatchId id(long number) {
    return number == 0 ? BatchId.NONE : new BatchId(number, STAMP);
  }
}
