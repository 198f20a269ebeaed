package org.svcmailbox.core.topic;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.TopicRetention;

/** A topic's own {@link TopicRetention}; null means the service's setting. */
public record RetentionOverrides(
    @Nullable Duration ready,
    @Nullable Integer readyCount,
    @Nullable Long readyBytes,
    @Nullable Duration inflight,
    @Nullable Integer inflightCount,
    @Nullable Duration dlq,
    @Nullable Integer dlqCount) {

  public static final RetentionOverrides NONE =
      new RetentionOverrides(null, null, null, null, null, null);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long MOST_BYTES = 1L << 50;
  private static final Duration YEAR = Duration.ofDays(365);

  public RetentionOverrides(
      @Nullable Duration ready,
      @Nullable Integer readyCount,
      @Nullable Duration inflight,
      @Nullable Integer inflightCount,
      @Nullable Duration dlq,
      @Nullable Integer dlqCount) {
    this(ready, readyCount, null, inflight, inflightCount, dlq, dlqCount);
  }

  void check(Ranges ranges) {
    ranges.within("retention_ready", ready, SECOND, YEAR);
    ranges.within("retention_ready_count", readyCount, 1, 1_000_000_000);
    ranges.within("retention_ready_bytes", readyBytes, 1L, MOST_BYTES);
    ranges.within("retention_inflight", inflight, Duration.ofMillis(250), YEAR);
    ranges.within("retention_inflight_count", inflightCount, 1, 1_000_000);
    ranges.within("retention_dlq", dlq, SECOND, YEAR);
    ranges.within("retention_dlq_count", dlqCount, 1, 100_000_000);
  }

  void tell(TopicOverrides.Words words) {
    words.add("retention_ready", ready);
    words.add("retention_ready_count", readyCount);
    words.add("retention_ready_bytes", readyBytes);
    words.add("retention_inflight", inflight);
    words.add("retention_inflight_count", inflightCount);
    words.add("retention_dlq", dlq);
    words.add("retention_dlq_count", dlqCount);
  }

  TopicRetention over(TopicRetention defaults) {
    return new TopicRetention(
        TopicOverrides.or(ready, defaults.ready()),
        TopicOverrides.or(readyCount, defaults.readyCount()),
        readyBytes != null ? readyBytes : defaults.readyBytes(),
        inflight != null ? inflight : defaults.inflight(),
        TopicOverrides.or(inflightCount, defaults.inflightCount()),
        TopicOverrides.or(dlq, defaults.dlq()),
        TopicOverrides.or(dlqCount, defaults.dlqCount()));
  }
}
