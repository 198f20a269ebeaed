package org.svcmailbox.core.topic;

import java.util.Collection;
import java.util.List;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Stores topics. Changes are on disk on return. The store can fall back to an earlier state; its
 * caller knows better then, so no method believes a row that the caller does not name.
 */
public interface TopicStore {
  /** A stored topic; its id is never reused. */
  record StoredTopic(int id, TopicName name, TopicState state) {}

  List<StoredTopic> all();

  /**
   * Creates a topic with an id of its own. If the name has a row, that is of an earlier topic,
   * which goes as by {@link #delete}: the new one must not inherit its keys and ledgers.
   *
   * @param above the new id is higher; a store that fell back would give an id again
   */
  StoredTopic create(TopicName name, TopicState state, int above);

  /**
   * Writes a topic's row as given. If the name has a row of another id, that goes as above. A topic
   * that was marked as deleted is there again.
   */
  void save(StoredTopic topic);

  /**
   * Removes the row of a topic, if there is one, and marks its ledgers, which {@code
   * StoredLedgers.sweepDeleted} removes later. Its keys expire with their window. A row of the same
   * name and another id goes with it.
   */
  void delete(int id, TopicName name);

  /** Marks topics of which only the ids are known as deleted, and gives no topic these ids. */
  void retire(Collection<Integer> ids);
}
