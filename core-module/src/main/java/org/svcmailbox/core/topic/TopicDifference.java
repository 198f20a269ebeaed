package org.svcmailbox.core.topic;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/** How the row of a name differs from the topic that this process knows by that name. Pure. */
enum TopicDifference {
  NONE,
  /** The topic was made or changed since: the store lost that. */
  LOST_CHANGE,
  /** The topic was deleted since: the store lost that. */
  LOST_DELETION;

  /**
   * Compares the two.
   *
   * @param row what the store has; null for nothing
   * @param known what the process knows; null for no topic
   */
  static TopicDifference of(@Nullable StoredTopic row, @Nullable StoredTopic known) {
    if (known == null) {
      return row == null ? NONE : LOST_DELETION;
    }
    return known.equals(row) ? NONE : LOST_CHANGE;
  }
}
