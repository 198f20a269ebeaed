package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of one kind of task. Any thread. */
public final class Tasks implements MetricSource {
  private final String kind;
  private final LongAdder spawned = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder canceled = new LongAdder();

  /**
   * @param kind a constant
   */
  public Tasks(String kind) {
    this.kind = kind;
  }

  public void spawned() {
    spawned.increment();
  }

  /** Counts a task that failed, or that did not end when told to. */
  public void aborted() {
    aborted.increment();
  }

  /** Counts a task that ended early because it was told to. */
  public void canceled() {
    canceled.increment();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.TASKS_SPAWNED_TOTAL.of(spawned::sum, kind),
        Family.TASKS_ABORTED_TOTAL.of(aborted::sum, kind),
        Family.TASKS_CANCELED_TOTAL.of(canceled::sum, kind));
  }
}
