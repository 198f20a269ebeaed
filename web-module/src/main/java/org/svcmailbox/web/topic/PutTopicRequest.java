package org.svcmailbox.web.topic;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.web.json.JsonRequest;

/**
 * The settings of one topic. Absent fields take the service's defaults in a PUT, and keep their
 * values in a PATCH.
 */
record PutTopicRequest(
    @Nullable Integer readyShards,
    @Nullable Integer shardCapacity,
    @Nullable String tReplay,
    @Nullable Integer maxAttempts,
    @Nullable String defaultVisibility,
    @Nullable String backoffBase,
    @Nullable String backoffMax,
    @Nullable String retentionReady,
    @Nullable Integer retentionReadyCount,
    @Nullable Long retentionReadyBytes,
    @Nullable String retentionInflight,
    @Nullable Integer retentionInflightCount,
    @Nullable String retentionDlq,
    @Nullable Integer retentionDlqCount,
    @Nullable String alertReadyAge,
    @Nullable String reprocessAfter,
    @Nullable Integer reprocessTimes)
    implements JsonRequest {
  private static final PutTopicRequest NOTHING =
      new PutTopicRequest(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null, null);

  /**
   * Converts to core types.
   *
   * @throws SchemaException naming every refused field
   */
  TopicOverrides checked() {
    FieldChecks checks = new FieldChecks();
    Duration replay = duration(checks, "t_replay", tReplay);
    Duration visibility = duration(checks, "default_visibility", defaultVisibility);
    Duration base = duration(checks, "backoff_base", backoffBase);
    Duration max = duration(checks, "backoff_max", backoffMax);
    Duration ready = duration(checks, "retention_ready", retentionReady);
    Duration inflight = duration(checks, "retention_inflight", retentionInflight);
    Duration dlq = duration(checks, "retention_dlq", retentionDlq);
    Duration alert = duration(checks, "alert_ready_age", alertReadyAge);
    Duration after = duration(checks, "reprocess_after", reprocessAfter);
    if (reprocessAfter == null && reprocessTimes != null) {
      checks.add(new SchemaException("reprocess_after", "is required with reprocess_times"));
    }
    return checks.end(
        () ->
            new TopicOverrides(
                readyShards,
                shardCapacity,
                replay,
                maxAttempts,
                visibility,
                base,
                max,
                new RetentionOverrides(
                    ready,
                    retentionReadyCount,
                    retentionReadyBytes,
                    inflight,
                    retentionInflightCount,
                    dlq,
                    retentionDlqCount),
                alert,
                after == null ? null : new RedrivePolicy(after, times())));
  }

  /** The settings of a topic that do not follow the service's. */
  static PutTopicRequest of(TopicOverrides own) {
    return NOTHING.over(own, null);
  }

  /**
   * Merges these settings into the ones that a topic has.
   *
   * @param reset the names of settings to remove, separated by commas; null for none
   * @throws SchemaException if {@code reset} contains another name
   */
  PutTopicRequest over(TopicOverrides own, @Nullable String reset) {
    Picker from = new Picker(reset);
    RetentionOverrides retention = own.retention();
    RedrivePolicy redrive = own.redrive();
    String after = redrive == null ? null : text(redrive.after());
    Integer times = redrive == null || from.resets("reprocess_after") ? null : redrive.times();
    PutTopicRequest over =
        new PutTopicRequest(
            from.pick("ready_shards", readyShards, own.readyShards()),
            from.pick("shard_capacity", shardCapacity, own.shardCapacity()),
            from.pick("t_replay", tReplay, text(own.tReplay())),
            from.pick("max_attempts", maxAttempts, own.maxAttempts()),
            from.pick("default_visibility", defaultVisibility, text(own.defaultVisibility())),
            from.pick("backoff_base", backoffBase, text(own.backoffBase())),
            from.pick("backoff_max", backoffMax, text(own.backoffMax())),
            from.pick("retention_ready", retentionReady, text(retention.ready())),
            from.pick("retention_ready_count", retentionReadyCount, retention.readyCount()),
            from.pick("retention_ready_bytes", retentionReadyBytes, retention.readyBytes()),
            from.pick("retention_inflight", retentionInflight, text(retention.inflight())),
            from.pick(
                "retention_inflight_count", retentionInflightCount, retention.inflightCount()),
            from.pick("retention_dlq", retentionDlq, text(retention.dlq())),
            from.pick("retention_dlq_count", retentionDlqCount, retention.dlqCount()),
            from.pick("alert_ready_age", alertReadyAge, text(own.alertReadyAge())),
            from.pick("reprocess_after", reprocessAfter, after),
            from.pick("reprocess_times", reprocessTimes, times));
    from.end();
    return over;
  }

  /** Picks a value for each setting, and reports unknown names in {@code reset}. */
  private static final class Picker {
    private final Set<String> reset;

    Picker(@Nullable String names) {
      reset = new LinkedHashSet<>(names == null ? List.of() : List.of(names.split(",", -1)));
    }

    boolean resets(String setting) {
      return reset.contains(setting);
    }

    <T> @Nullable T pick(String setting, @Nullable T given, @Nullable T own) {
      boolean isReset = reset.remove(setting);
      return given != null || isReset ? given : own;
    }

    void end() {
      if (!reset.isEmpty()) {
        throw new SchemaException("reset", "has no setting " + reset.iterator().next());
      }
    }
  }

  private static @Nullable String text(@Nullable Duration own) {
    return own == null ? null : Amounts.text(own);
  }

  private int times() {
    return reprocessTimes == null ? 1 : reprocessTimes;
  }

  private static @Nullable Duration duration(
      FieldChecks checks, String field, @Nullable String given) {
    return checks.optional(given, text -> FieldChecks.duration(field, text));
  }
}
