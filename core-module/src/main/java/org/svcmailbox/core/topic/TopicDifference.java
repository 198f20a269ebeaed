package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * How a name's row in the store differs from the topic that this process knows by that name. Pure.
 */
enum TopicDifference {
  NONE,
  /** The store lost a creation or change of the topic. */
  LOST_CHANGE,
  /** The store lost the topic's deletion. */
  LOST_DELETION;

  /**
   * Compares row and topic.
   *
   * @param row the store's row; null for none
   * @param known what the process knows; null for no topic
   */
  static TopicDifference of(@Nullable StoredTopic row, @Nullable StoredTopic known) {
    if (known == null) {
      return row == null ? NONE : LOST_DELETION;
    }
    return known.equals(row) ? NONE : LOST_CHANGE;
  }
}
