package org.svcmailbox.web.topic;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;
import org.svcmailbox.core.topic.TopicAdmin.ListedTopic;
import org.svcmailbox.core.topic.TopicAdmin.TopicPage;
import org.svcmailbox.web.topic.TopicListResponse.Totals;

/**
 * A page of topics.
 *
 * @param matched all topics that match, also those of other pages
 * @param nextCursor the start of the next page; null on the last, and in other orders than by name
 * @param dlqProfile {@code durable}, or {@code ephemeral} when dead letters end with the process
 * @param disk space on the data disk; absent if there is no data disk
 * @param undeliverable messages that wait to become dead letters of their topics
 * @param counted the nodes whose counts are in; absent of a server that is alone
 */
record TopicPageResponse(
    List<Entry> topics,
    int matched,
    Totals totals,
    @Nullable String nextCursor,
    String dlqProfile,
    @Nullable DiskRoom disk,
    long undeliverable,
    @Nullable CountedNodes counted) {
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
        page.totals().topics(),
        Totals.of(page.totals()),
        next == null ? null : next.value(),
        page.dlqProfile(),
        page.disk(),
        page.undeliverable(),
        page.counted());
  }
}
