package org.svcmailbox.web.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;

/**
 * All topics by name.
 *
 * @param dlqProfile {@code durable}, or {@code ephemeral} when dead letters end with the process
 * @param disk space on the data disk; absent if there is no data disk
 * @param undeliverable messages that wait to become dead letters of their topics
 */
public record TopicListResponse(
    List<Entry> topics, String dlqProfile, @Nullable DiskRoom disk, long undeliverable) {
  /** One topic's counters, read from memory. */
  public record Entry(
      String name,
      boolean paused,
      long depth,
      long inflight,
      long dlq,
      double saturation,
      long oldestReadyAgeMs) {
    static Entry of(TopicGlance topic) {
      return new Entry(
          topic.name().value(),
          topic.paused(),
          topic.depth(),
          topic.inflight(),
          topic.dlq(),
          topic.saturation(),
          topic.oldestReadyAgeMillis());
    }
  }

  public static TopicListResponse of(Overview overview) {
    return new TopicListResponse(
        overview.topics().stream().map(Entry::of).toList(),
        overview.dlqProfile(),
        overview.disk(),
        overview.undeliverable());
  }
}
