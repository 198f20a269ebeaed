package org.svcmailbox.ejb.batch;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.WorkerId;

/** A worker whose batches follow each other. */
final class SampleWorker {
  private final int number;
  private long last;

  SampleWorker(int number) {
    this.number = number;
  }

  /** The next batches, each of these rows. */
  Advance next(List<List<Row>> batches) {
    long from = last;
    List<Batch> next = new ArrayList<>();
    batches.forEach(rows -> next.add(SampleBatch.of(number, ++last, rows)));
    return new Advance(WorkerId.of(number), SampleBatch.id(from), next);
  }

  /** Applies the next batch. */
  void apply(ProjectionStore store, List<Row> rows) {
    applyAll(store, List.of(next(List.of(rows))));
  }

  /** Applies what follows what the database has. */
  static void applyAll(ProjectionStore store, List<Advance> advances) {
    try {
      store.apply(advances);
    } catch (MovedException e) {
      throw new AssertionError(e);
    }
  }
}
