package org.svcmailbox.web.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.Durations;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicState;

/** One topic: the settings in force and what is in it now. */
record TopicResponse(
    String name,
    int readyShards,
    int shardCapacity,
    String tReplay,
    int maxAttempts,
    String defaultVisibility,
    String backoffBase,
    String backoffMax,
    String retentionReady,
    int retentionReadyCount,
    String retentionInflight,
    int retentionInflightCount,
    String retentionDlq,
    int retentionDlqCount,
    @Nullable String reprocessAfter,
    @Nullable Integer reprocessTimes,
    boolean paused,
    int closingShards,
    long ready,
    long inflight,
    long delayed,
    long dlq,
    String dlqProfile,
    long oldestReadyAgeMs) {

  static TopicResponse of(TopicStatus status) {
    TopicSettings settings = status.topic().settings();
    TopicRetention retention = settings.retention();
    RedrivePolicy policy = settings.redrive();
    TopicState state = status.topic().state();
    return new TopicResponse(
        status.topic().name().value(),
        settings.readyShards(),
        settings.shardCapacity(),
        Durations.text(settings.tReplay()),
        settings.maxAttempts(),
        Durations.text(settings.defaultVisibility()),
        Durations.text(settings.backoffBase()),
        Durations.text(settings.backoffMax()),
        Durations.text(retention.ready()),
        retention.readyCount(),
        Durations.text(retention.inflightOf(settings.defaultVisibility())),
        retention.inflightCount(),
        Durations.text(retention.dlq()),
        retention.dlqCount(),
        policy == null ? null : Durations.text(policy.after()),
        policy == null ? null : policy.times(),
        state.paused(),
        state.liveShards() - settings.readyShards(),
        status.ready(),
        status.inflight(),
        status.delayed(),
        status.dlq(),
        status.dlqProfile(),
        status.oldestReadyAgeMillis());
  }
}
