package org.svcmailbox.core.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.TopicSettings;

/**
 * What an operator set for one topic; null means the service's own setting holds.
 *
 * @see TopicSettings
 */
public record TopicOverrides(
    @Nullable Integer readyShards,
    @Nullable Integer shardCapacity,
    @Nullable Duration tReplay,
    @Nullable Integer maxAttempts,
    @Nullable Duration defaultVisibility,
    @Nullable Duration backoffBase,
    @Nullable Duration backoffMax,
    @Nullable Duration retentionReady,
    @Nullable Duration retentionDlq) {

  // Before NONE, whose construction reads it.
  private static final Duration DAY = Duration.ofDays(1);

  /** Nothing of the topic's own. */
  public static final TopicOverrides NONE =
      new TopicOverrides(null, null, null, null, null, null, null, null, null);

  /**
   * @throws SchemaException naming every field that is out of its range
   */
  public TopicOverrides {
    List<FieldViolation> found = new ArrayList<>();
    within(found, "ready_shards", readyShards, 1, TopicSettings.MAX_SHARDS);
    within(found, "shard_capacity", shardCapacity, 1, 1_000_000);
    within(found, "max_attempts", maxAttempts, 1, 1_000);
    within(found, "t_replay", tReplay, Duration.ofSeconds(1), DAY.multipliedBy(7));
    within(
        found, "default_visibility", defaultVisibility, Duration.ofMillis(250), DAY.dividedBy(2));
    within(found, "backoff_base", backoffBase, Duration.ofMillis(1), Duration.ofHours(1));
    within(found, "backoff_max", backoffMax, Duration.ofMillis(1), DAY.dividedBy(2));
    within(found, "retention_ready", retentionReady, Duration.ofSeconds(1), DAY.multipliedBy(365));
    within(found, "retention_dlq", retentionDlq, Duration.ofSeconds(1), DAY.multipliedBy(365));
    if (!found.isEmpty()) {
      throw new SchemaException(found);
    }
  }

  /** These where they say something, {@code defaults} elsewhere. */
  public TopicSettings over(TopicSettings defaults) {
    return new TopicSettings(
        or(readyShards, defaults.readyShards()),
        or(shardCapacity, defaults.shardCapacity()),
        or(tReplay, defaults.tReplay()),
        or(maxAttempts, defaults.maxAttempts()),
        or(defaultVisibility, defaults.defaultVisibility()),
        or(backoffBase, defaults.backoffBase()),
        or(backoffMax, defaults.backoffMax()),
        or(retentionReady, defaults.retentionReady()),
        or(retentionDlq, defaults.retentionDlq()));
  }

  /** The same with the number of shards pinned, as a stored topic has it. */
  public TopicOverrides withReadyShards(int shards) {
    return new TopicOverrides(
        shards,
        shardCapacity,
        tReplay,
        maxAttempts,
        defaultVisibility,
        backoffBase,
        backoffMax,
        retentionReady,
        retentionDlq);
  }

  private static <T> T or(@Nullable T own, T otherwise) {
    return own != null ? own : otherwise;
  }

  private static <T extends Comparable<T>> void within(
      List<FieldViolation> found, String field, @Nullable T value, T least, T most) {
    if (value != null && (value.compareTo(least) < 0 || value.compareTo(most) > 0)) {
      found.add(new FieldViolation(field, "must be between " + least + " and " + most));
    }
  }
}
