package org.svcmailbox.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long, and how many, of a topic's messages are kept in each state.
 *
 * @param ready how long a message may wait; fixed when it is sent
 * @param readyCount waiting, delayed and leased messages; SENDs beyond are refused
 * @param readyBytes their bytes in the broker; null is unlimited
 * @param inflight the longest lease with extensions; null for ten times its visibility
 * @param dlq how long a dead letter is kept; fixed when it dies
 * @param dlqCount dead letters; the oldest are removed
 */
public record TopicRetention(
    Duration ready,
    int readyCount,
    @Nullable Long readyBytes,
    @Nullable Duration inflight,
    int inflightCount,
    Duration dlq,
    int dlqCount) {

  /** The default of {@code inflight} as a multiple of the visibility. */
  private static final int VISIBILITIES = 10;

  public TopicRetention(
      Duration ready,
      int readyCount,
      @Nullable Duration inflight,
      int inflightCount,
      Duration dlq,
      int dlqCount) {
    this(ready, readyCount, null, inflight, inflightCount, dlq, dlqCount);
  }

  public long mostReadyBytes() {
    return readyBytes != null ? readyBytes : Long.MAX_VALUE;
  }

  public Duration inflightOf(Duration visibility) {
    return inflight != null ? inflight : visibility.multipliedBy(VISIBILITIES);
  }
}
