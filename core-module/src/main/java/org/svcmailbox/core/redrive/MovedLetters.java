package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** How many letters jobs have dealt with since the process began. Any thread. */
final class MovedLetters {
  private final LongAdder reprocessed = new LongAdder();
  private final LongAdder discarded = new LongAdder();
  private final LongAdder failed = new LongAdder();

  void moved(JobAction action, int letters) {
    (action == JobAction.REPROCESS ? reprocessed : discarded).add(letters);
  }

  void failed(int letters) {
    failed.add(letters);
  }

  List<Metric> metrics() {
    return List.of(
        Family.DLQ_JOB_LETTERS_TOTAL.of(reprocessed::sum, "reprocessed"),
        Family.DLQ_JOB_LETTERS_TOTAL.of(discarded::sum, "discarded"),
        Family.DLQ_JOB_LETTERS_TOTAL.of(failed::sum, "failed"));
  }
}
