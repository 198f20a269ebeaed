package org.svcmailbox.core.topic;

import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.settings.TopicSettings;

/** A topic's own {@link TopicSettings}; null means the service's setting. */
public record TopicOverrides(
    @Nullable Integer readyShards,
    @Nullable Integer shardCapacity,
    @Nullable Duration tReplay,
    @Nullable Integer maxAttempts,
    @Nullable Duration defaultVisibility,
    @Nullable Duration backoffBase,
    @Nullable Duration backoffMax,
    RetentionOverrides retention,
    @Nullable Duration alertReadyAge,
    @Nullable RedrivePolicy redrive) {

  // Declared before NONE, whose construction reads it.
  private static final Duration DAY = Duration.ofDays(1);

  public static final TopicOverrides NONE =
      new TopicOverrides(null, null, null, null, null, null, null, RetentionOverrides.NONE);

  public TopicOverrides(
      @Nullable Integer readyShards,
      @Nullable Integer shardCapacity,
      @Nullable Duration tReplay,
      @Nullable Integer maxAttempts,
      @Nullable Duration defaultVisibility,
      @Nullable Duration backoffBase,
      @Nullable Duration backoffMax,
      RetentionOverrides retention) {
    this(
        readyShards,
        shardCapacity,
        tReplay,
        maxAttempts,
        defaultVisibility,
        backoffBase,
        backoffMax,
        retention,
        null,
        null);
  }

  /** Throws {@link SchemaException} naming every field out of range. */
  public TopicOverrides {
    Ranges ranges = new Ranges();
    ranges.within("ready_shards", readyShards, 1, TopicSettings.MAX_SHARDS);
    ranges.within("shard_capacity", shardCapacity, 1, 1_000_000);
    ranges.within("max_attempts", maxAttempts, 1, 1_000);
    ranges.within("t_replay", tReplay, Duration.ofSeconds(1), DAY.multipliedBy(7));
    ranges.within(
        "default_visibility", defaultVisibility, Duration.ofMillis(250), DAY.dividedBy(2));
    ranges.within("backoff_base", backoffBase, Duration.ofMillis(1), Duration.ofHours(1));
    ranges.within("backoff_max", backoffMax, Duration.ofMillis(1), DAY.dividedBy(2));
    retention.check(ranges);
    ranges.within("alert_ready_age", alertReadyAge, Duration.ofSeconds(1), DAY.multipliedBy(365));
    if (redrive != null) {
      ranges.within(
          "reprocess_after", redrive.after(), Duration.ofSeconds(1), DAY.multipliedBy(365));
      ranges.within("reprocess_times", redrive.times(), 1, 100);
    }
    ranges.end();
  }

  /** The topic's own settings by the names of the API, for people. */
  public String text() {
    Words words = new Words();
    words.add("ready_shards", readyShards);
    words.add("shard_capacity", shardCapacity);
    words.add("t_replay", tReplay);
    words.add("max_attempts", maxAttempts);
    words.add("default_visibility", defaultVisibility);
    words.add("backoff_base", backoffBase);
    words.add("backoff_max", backoffMax);
    retention.tell(words);
    words.add("alert_ready_age", alertReadyAge);
    if (redrive != null) {
      words.add("reprocess_after", redrive.after());
      words.add("reprocess_times", redrive.times());
    }
    return words.isEmpty() ? "defaults" : words.toString();
  }

  /** Settings as {@code ready_shards=4, t_replay=5m}. */
  static final class Words {
    private final StringJoiner all = new StringJoiner(", ");

    void add(String name, @Nullable Object value) {
      if (value != null) {
        all.add(name + "=" + (value instanceof Duration time ? Amounts.text(time) : value));
      }
    }

    boolean isEmpty() {
      return all.length() == 0;
    }

    @Override
    public String toString() {
      return all.toString();
    }
  }

  public TopicSettings over(TopicSettings defaults) {
    return new TopicSettings(
        or(readyShards, defaults.readyShards()),
        or(shardCapacity, defaults.shardCapacity()),
        or(tReplay, defaults.tReplay()),
        or(maxAttempts, defaults.maxAttempts()),
        or(defaultVisibility, defaults.defaultVisibility()),
        or(backoffBase, defaults.backoffBase()),
        or(backoffMax, defaults.backoffMax()),
        retention.over(defaults.retention()),
        or(alertReadyAge, defaults.alertReadyAge()),
        redrive);
  }

  public TopicOverrides withReadyShards(int shards) {
    return new TopicOverrides(
        shards,
        shardCapacity,
        tReplay,
        maxAttempts,
        defaultVisibility,
        backoffBase,
        backoffMax,
        retention,
        alertReadyAge,
        redrive);
  }

  static <T> T or(@Nullable T own, T otherwise) {
    return own != null ? own : otherwise;
  }
}
