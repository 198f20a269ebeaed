package org.svcmailbox.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long and how many of a topic's messages are kept in each state; nothing is kept for ever.
 *
 * @param ready how long a message may wait before it is a dead letter; decided when it is sent
 * @param readyCount the most messages that wait, are delayed or are under a lease; more are refused
 * @param readyBytes how many bytes these may take in the broker; once they do, more are refused;
 *     null for any number
 * @param inflight how long one lease may last with all its extensions, null for ten times the
 *     visibility it was taken with
 * @param inflightCount the most messages under a lease; no more are handed out
 * @param dlq how long a dead letter is kept; decided when it dies
 * @param dlqCount the most dead letters; the oldest go
 */
public record TopicRetention(
    Duration ready,
    int readyCount,
    @Nullable Long readyBytes,
    @Nullable Duration inflight,
    int inflightCount,
    Duration dlq,
    int dlqCount) {

  /** How many times its visibility a lease may last, where the topic says nothing. */
  private static final int VISIBILITIES = 10;

  /** Without a bound on bytes. */
  public TopicRetention(
      Duration ready,
      int readyCount,
      @Nullable Duration inflight,
      int inflightCount,
      Duration dlq,
      int dlqCount) {
    this(ready, readyCount, null, inflight, inflightCount, dlq, dlqCount);
  }

  /** The most bytes as a number. */
  public long mostReadyBytes() {
    return readyBytes != null ? readyBytes : Long.MAX_VALUE;
  }

  /** How long a lease that was taken for {@code visibility} may last at most. */
  public Duration inflightOf(Duration visibility) {
    return inflight != null ? inflight : visibility.multipliedBy(VISIBILITIES);
  }
}
