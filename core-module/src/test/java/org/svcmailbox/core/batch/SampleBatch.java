package org.svcmailbox.core.batch;

import java.util.List;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.KeyPages;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;

/** Batches whose number is all that matters. */
public final class SampleBatch {
  private static final long STAMP = 0x5EED;

  private SampleBatch() {}

  /** A batch of the one history that these have. */
  public static Batch of(int worker, long number, List<Row> rows) {
    return new Batch(WorkerId.of(worker), id(number), BatchPages.of(rows));
  }

  /** Applies a batch behind its worker's last one. */
  public static void write(ProjectionStore store, Batch batch) {
    try {
      store.apply(
          List.of(new Advance(batch.worker(), store.applied(batch.worker()), List.of(batch))));
    } catch (MovedException e) {
      throw new AssertionError(e);
    }
  }

  /** Shows all pages of keys in the database, worker by worker. */
  public static void everyKeyPage(ProjectionStore store, KeyPages to) {
    store.workers().forEach(worker -> store.keyPages(worker, to));
  }

  /** Its id. */
  public static BatchId id(long number) {
    return number == 0 ? BatchId.NONE : new BatchId(number, STAMP);
  }
}
