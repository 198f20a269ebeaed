package org.svcmailbox.web.topic;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;
import org.svcmailbox.core.topic.TopicAdmin.ListedTopic;
import org.svcmailbox.core.topic.TopicAdmin.TopicPage;

/**
 * A page of topics by name.
 *
 * @param nextCursor the start of the next page; null on the last
 * @param dlqProfile {@code durable}, or {@code ephemeral} when dead letters end with the process
 * @param disk space on the data disk; absent if there is no data disk
 * @param undeliverable messages that wait to become dead letters of their topics
 */
record TopicPageResponse(
    List<Entry> topics,
    @Nullable String nextCursor,
    String dlqProfile,
    @Nullable DiskRoom disk,
    long undeliverable) {
  /** One topic's counters and settings. */
  record Entry(@JsonUnwrapped TopicListResponse.Entry glance, TopicSettingsResponse settings) {
    static Entry of(ListedTopic topic) {
      return new Entry(
          TopicListResponse.Entry.of(topic.glance()),
          TopicSettingsResponse.of(topic.topic().settings()));
    }
  }

  static TopicPageResponse of(TopicPage page) {
    TopicName next = page.next();
    return new TopicPageResponse(
        page.topics().stream().map(Entry::of).toList(),
        next == null ? null : next.value(),
        page.dlqProfile(),
        page.disk(),
        page.undeliverable());
  }
}
