package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * The repair at a start of one topic whose row and queues differ, because the database is older or
 * a change was cut off. Pure.
 */
enum TopicRepair {
  NONE(""),
  /** Shards were added since. They hold messages until they are empty, as surplus ones. */
  RAISE("has more shards than its row, which are read until they are empty"),
  /** It was made since, or deleted and made again. */
  MAKE("was made since the database's state; it begins with the service's settings"),
  /** Its deletion began, or its creation did not end: no message of that id can come any more. */
  RENEW("has lost its queues, as by a deletion; it begins again without messages and keys");

  private final String text;

  TopicRepair(String text) {
    this.text = text;
  }

  /** For operators, behind the topic's name. */
  String text() {
    return text;
  }

  /**
   * Decides.
   *
   * @param row null if the database has none
   */
  static TopicRepair of(@Nullable StoredTopic row, TopicQueues queues) {
    if (row == null) {
      return queues.shards() > 0 ? MAKE : NONE;
    }
    if (!queues.hasFirst()) {
      return RENEW;
    }
    Integer id = queues.id();
    if (id != null && id > row.id()) {
      return MAKE;
    }
    return queues.shards() > row.state().liveShards() ? RAISE : NONE;
  }
}
