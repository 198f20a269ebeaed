package org.svcmailbox.web.state;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.condition.BrokerStanding;
import org.svcmailbox.core.condition.Condition;
import org.svcmailbox.core.condition.StateService.ServiceState;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/**
 * The state of the service.
 *
 * @param disk space on the data disk; absent if there is no data disk
 * @param leftOut conditions that fire beyond those listed
 */
record StateResponse(
    String version,
    String startedAt,
    String dlqProfile,
    @Nullable DiskRoom disk,
    long undeliverable,
    BrokerStanding broker,
    List<FiringCondition> conditions,
    int leftOut) {
  /** One condition. */
  record FiringCondition(
      String id,
      String since,
      @Nullable String topic,
      @Nullable String subject,
      @Nullable Double value,
      String runbook) {
    private static FiringCondition of(Condition one) {
      TopicName topic = one.topic();
      return new FiringCondition(
          one.kind().id(),
          Timestamps.text(one.since()),
          topic == null ? null : topic.value(),
          one.subject().isEmpty() ? null : one.subject(),
          one.value(),
          one.runbook());
    }
  }

  static StateResponse of(ServiceState state) {
    return new StateResponse(
        state.version(),
        Timestamps.text(state.startedAt()),
        state.dlqProfile(),
        state.disk(),
        state.undeliverable(),
        state.broker(),
        state.conditions().stream().map(FiringCondition::of).toList(),
        state.leftOut());
  }
}
