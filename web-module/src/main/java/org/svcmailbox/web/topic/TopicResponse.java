package org.svcmailbox.web.topic;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicState;

/** The effective settings and live counts of one topic. */
record TopicResponse(
    String name,
    @JsonUnwrapped TopicSettingsResponse settings,
    boolean paused,
    int closingShards,
    long ready,
    long inflight,
    long delayed,
    long dlq,
    double saturation,
    String dlqProfile,
    long oldestReadyAgeMs) {

  static TopicResponse of(TopicStatus status) {
    TopicState state = status.topic().state();
    return new TopicResponse(
        status.topic().name().value(),
        TopicSettingsResponse.of(status.topic().settings()),
        state.paused(),
        state.liveShards() - status.topic().settings().readyShards(),
        status.ready(),
        status.inflight(),
        status.delayed(),
        status.dlq(),
        status.saturation(),
        status.dlqProfile(),
        status.oldestReadyAgeMillis());
  }
}
