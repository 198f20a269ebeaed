package org.svcmailbox.core.redrive.run;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.redrive.JobAction;

/** Counts the letters of all jobs since the process started. Any thread. */
final class JobLetterCounts {
  private final LongAdder redriven = new LongAdder();
  private final LongAdder discarded = new LongAdder();
  private final LongAdder failed = new LongAdder();

  void moved(JobAction action, int letters) {
    (action == JobAction.REDRIVE ? redriven : discarded).add(letters);
  }

  void failed(int letters) {
    failed.add(letters);
  }

  List<Metric> metrics() {
    return List.of(
        Family.DLQ_JOB_LETTERS_TOTAL.of(redriven::sum, "reprocessed"),
        Family.DLQ_JOB_LETTERS_TOTAL.of(discarded::sum, "discarded"),
        Family.DLQ_JOB_LETTERS_TOTAL.of(failed::sum, "failed"));
  }
}
