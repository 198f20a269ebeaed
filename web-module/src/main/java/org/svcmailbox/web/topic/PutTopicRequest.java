package org.svcmailbox.web.topic;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.web.json.DurationText;
import org.svcmailbox.web.json.FieldChecks;
import org.svcmailbox.web.json.JsonRequest;

/** The settings of one topic; absent fields use the service's defaults. */
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
    @Nullable String reprocessAfter,
    @Nullable Integer reprocessTimes)
    implements JsonRequest {

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
                after == null ? null : new RedrivePolicy(after, times())));
  }

  private int times() {
    return reprocessTimes == null ? 1 : reprocessTimes;
  }

  private static @Nullable Duration duration(
      FieldChecks checks, String field, @Nullable String given) {
    return checks.optional(given, text -> DurationText.parse(field, text));
  }
}
