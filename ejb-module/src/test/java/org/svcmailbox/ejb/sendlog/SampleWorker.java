package org.svcmailbox.ejb.sendlog;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.sendlog.Batch;
import org.svcmailbox.core.sendlog.Row;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStore.Advance;
import org.svcmailbox.core.sendlog.SendLogStore.MovedException;

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
    return new Advance(number, SampleBatch.id(from), next);
  }

  /** Applies the next batch. */
  void apply(SendLogStore store, List<Row> rows) {
    applyAll(store, List.of(next(List.of(rows))));
  }

  /** Applies what follows what the database has. */
  static void applyAll(SendLogStore store, List<Advance> advances) {
    try {
      store.apply(advances);
    } catch (MovedException e) {
      throw new AssertionError(e);
    }
  }
}
