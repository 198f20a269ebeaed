package org.svcmailbox.core.history;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;

/**
 * Minutes that the database does not have yet. The oldest is lost when one more comes. Any thread.
 */
public final class MinuteQueue implements MetricSource {
  /** Minutes of an outage that leave no gap. */
  public static final int MOST = 60;

  private final ArrayDeque<MinuteRows> waiting = new ArrayDeque<>();
  private final LongAdder lost = new LongAdder();

  public synchronized void add(MinuteRows rows) {
    waiting.add(rows);
    if (waiting.size() > MOST) {
      waiting.remove();
      lost.increment();
    }
  }

  /** The minute to write next; null if there is none. */
  public synchronized @Nullable MinuteRows first() {
    return waiting.peek();
  }

  /** Removes a minute that is written, unless it is lost already. */
  public synchronized void written(MinuteRows rows) {
    if (rows.equals(waiting.peek())) {
      waiting.remove();
    }
  }

  @Override
  public List<Metric> metrics() {
    return List.of(Family.MAILBOX_HISTORY_LOST_TOTAL.of(lost::sum));
  }
}
