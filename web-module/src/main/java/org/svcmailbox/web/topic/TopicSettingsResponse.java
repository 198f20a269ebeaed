package org.svcmailbox.web.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;

/** The effective settings of one topic. */
record TopicSettingsResponse(
    int readyShards,
    int shardCapacity,
    String tReplay,
    int maxAttempts,
    String defaultVisibility,
    String backoffBase,
    String backoffMax,
    String retentionReady,
    int retentionReadyCount,
    @Nullable Long retentionReadyBytes,
    String retentionInflight,
    int retentionInflightCount,
    String retentionDlq,
    int retentionDlqCount,
    String alertReadyAge,
    @Nullable String reprocessAfter,
    @Nullable Integer reprocessTimes) {

  static TopicSettingsResponse of(TopicSettings settings) {
    TopicRetention retention = settings.retention();
    RedrivePolicy policy = settings.redrive();
    return new TopicSettingsResponse(
        settings.readyShards(),
        settings.shardCapacity(),
        Amounts.text(settings.tReplay()),
        settings.maxAttempts(),
        Amounts.text(settings.defaultVisibility()),
        Amounts.text(settings.backoffBase()),
        Amounts.text(settings.backoffMax()),
        Amounts.text(retention.ready()),
        retention.readyCount(),
        retention.readyBytes(),
        Amounts.text(retention.longestLease()),
        retention.inflightCount(),
        Amounts.text(retention.dlq()),
        retention.dlqCount(),
        Amounts.text(settings.alertReadyAge()),
        policy == null ? null : Amounts.text(policy.after()),
        policy == null ? null : policy.times());
  }
}
