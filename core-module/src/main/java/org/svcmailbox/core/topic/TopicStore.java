package org.svcmailbox.core.topic;

import java.util.Collection;
import java.util.List;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Stores topics. Changes are on disk on return. A process that is alone uses the methods below, and
 * a node those of {@link SharedTopicStore}.
 *
 * <p>To one that is alone its own knowledge is the truth. The store can fall back to an earlier
 * state, and then the caller's knowledge is newer. So no method below relies on a row that the
 * caller does not name.
 */
public interface TopicStore extends SharedTopicStore {
  /** A stored topic; its id is never reused. */
  record StoredTopic(int id, TopicName name, TopicState state) {}

  List<StoredTopic> all();

  /**
   * Creates a topic with an id of its own. If the name has a row, it belongs to an earlier topic
   * and is removed as by {@link #delete}: the new topic must not inherit its keys and ledgers.
   *
   * @param above the new id is higher, because a store that fell back would reuse an id
   */
  StoredTopic create(TopicName name, TopicState state, int above);

  /**
   * Writes a topic's row as given. A row of the same name with another id is removed as above. A
   * topic that was marked as deleted exists again.
   */
  void save(StoredTopic topic);

  /**
   * Removes the row of a topic, if there is one, and marks its ledgers, which {@code
   * StoredLedgers.sweepDeleted} removes later. Its keys expire with their window. A row of the same
   * name with another id is removed too.
   */
  void delete(int id, TopicName name);

  /** Marks topics as deleted of which only the ids are known. Their ids are never reused. */
  void retire(Collection<Integer> ids);
}
