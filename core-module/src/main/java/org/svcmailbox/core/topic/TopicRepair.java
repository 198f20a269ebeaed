package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * How a start repairs one topic whose row and queues differ, because the database is older or a
 * change was interrupted. Pure.
 */
enum TopicRepair {
  NONE(""),
  /**
   * Shards were added after the row was written. They are read as surplus shards until they are
   * empty.
   */
  RAISE("has more shards than its row, which are read until they are empty"),
  /** The topic was created, or deleted and created again, after the database's state. */
  MAKE("was made since the database's state; it begins with the service's settings"),
  /**
   * Its deletion began, or its creation was not completed. No message with its id can arrive any
   * more.
   */
  RENEW("has lost its queues, as by a deletion; it begins again without messages and keys");

  private final String text;

  TopicRepair(String text) {
    this.text = text;
  }

  /** For operators, to follow the topic's name. */
  String text() {
    return text;
  }

  /**
   * Chooses the repair.
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
