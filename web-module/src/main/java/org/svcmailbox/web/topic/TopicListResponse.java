package org.svcmailbox.web.topic;

import java.util.List;
import org.svcmailbox.core.envelope.TopicName;

/** Every topic, in the order of names. */
record TopicListResponse(List<Entry> topics) {
  /** One of them. */
  record Entry(String name) {}

  static TopicListResponse of(List<TopicName> names) {
    return new TopicListResponse(names.stream().map(name -> new Entry(name.value())).toList());
  }
}
