package org.svcmailbox.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long, and how many, of a topic's messages are kept in each state.
 *
 * @param ready how long a message may wait; fixed when it is sent
 * @param readyCount waiting, delayed and leased messages; further SENDs are refused
 * @param readyBytes their bytes in the broker; null means unlimited
 * @param inflight the longest lease with extensions; null for 12 h
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

  /** The default of {@code inflight}; no visibility is longer. */
  private static final Duration LONGEST_LEASE = Duration.ofHours(12);

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

  /** The longest lease, with all extensions. */
  public Duration longestLease() {
    return inflight != null ? inflight : LONGEST_LEASE;
  }
}
