package org.svcmailbox.web.topic;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicState;

/**
 * The effective settings and live counts of one topic.
 *
 * @param version of the settings, as in the {@code ETag}
 * @param overrides the settings that do not follow the service's
 * @param counted the nodes whose leases are in the counts; absent of a server that is alone
 */
record TopicResponse(
    String name,
    String version,
    @JsonUnwrapped TopicSettingsResponse settings,
    PutTopicRequest overrides,
    boolean paused,
    int closingShards,
    long ready,
    long inflight,
    long delayed,
    long dlq,
    double saturation,
    String dlqProfile,
    long oldestReadyAgeMs,
    @Nullable CountedNodes counted) {

  static TopicResponse of(TopicStatus status) {
    TopicState state = status.topic().state();
    return new TopicResponse(
        status.topic().name().value(),
        status.topic().version(),
        TopicSettingsResponse.of(status.topic().settings()),
        PutTopicRequest.of(state.overrides()),
        state.paused(),
        state.liveShards() - status.topic().settings().readyShards(),
        status.ready(),
        status.inflight(),
        status.delayed(),
        status.dlq(),
        status.saturation(),
        status.dlqProfile(),
        status.oldestReadyAgeMillis(),
        status.counted());
  }
}
