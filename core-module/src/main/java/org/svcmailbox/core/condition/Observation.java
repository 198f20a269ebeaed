package org.svcmailbox.core.condition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;

/**
 * The figures of one moment.
 *
 * @param disk null if nothing is written to a disk
 * @param standby whether another broker waits to take over; null if there is to be none
 */
public record Observation(
    @Nullable DiskRoom disk,
    @Nullable Boolean standby,
    List<BoundUse> bounds,
    List<TopicLoad> topics) {

  /** Use of a bound, 1 if it is full. */
  public record BoundUse(String reason, double fullness) {}

  /**
   * The load of one topic.
   *
   * @param received whether somebody waits for its messages or holds some
   * @param oldestReady age of its oldest ready message
   * @param alertReadyAge from which a message is overdue
   * @param saturation 1 if it refuses SENDs
   * @param letters its dead letters since the process began
   */
  public record TopicLoad(
      TopicName topic,
      boolean paused,
      boolean received,
      Duration oldestReady,
      Duration alertReadyAge,
      double saturation,
      Map<DeadLetterReason, Long> letters) {}
}
