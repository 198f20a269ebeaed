package org.svcmailbox.core.condition;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/** Tells operators how the service is. Answers from memory. */
public interface StateService {
  /** The most conditions of an answer. */
  int MOST_CONDITIONS = 50;

  /**
   * The state of the service.
   *
   * @param startedAt when the process began
   * @param dlqProfile {@code durable}, or {@code ephemeral} if dead letters end with the process
   * @param disk null if nothing is written to a disk
   * @param undeliverable messages that the broker gave up on, which will become dead letters
   * @param conditions those that fire, the most urgent first; at most {@link #MOST_CONDITIONS}
   * @param leftOut how many more fire
   */
  record ServiceState(
      String version,
      Instant startedAt,
      String dlqProfile,
      @Nullable DiskRoom disk,
      long undeliverable,
      BrokerStanding broker,
      List<Condition> conditions,
      int leftOut) {}

  /**
   * Needs {@code peek} or {@code admin} for all topics; throws {@code DeniedException} without it.
   */
  ServiceState state(Caller caller);
}
