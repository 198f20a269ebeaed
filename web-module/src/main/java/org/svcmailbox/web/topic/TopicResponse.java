package org.svcmailbox.web.topic;

import org.svcmailbox.core.settings.Durations;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;

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
    String retentionDlq,
    long ready,
    long inflight,
    long delayed,
    long dlq,
    String dlqProfile,
    long oldestReadyAgeMs) {

  static TopicResponse of(TopicStatus status) {
    TopicSettings settings = status.topic().settings();
    return new TopicResponse(
        status.topic().name().value(),
        settings.readyShards(),
        settings.shardCapacity(),
        Durations.text(settings.tReplay()),
        settings.maxAttempts(),
        Durations.text(settings.defaultVisibility()),
        Durations.text(settings.backoffBase()),
        Durations.text(settings.backoffMax()),
        Durations.text(settings.retentionReady()),
        Durations.text(settings.retentionDlq()),
        status.ready(),
        status.inflight(),
        status.delayed(),
        status.dlq(),
        status.dlqProfile(),
        status.oldestReadyAgeMillis());
  }
}
