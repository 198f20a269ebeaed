package org.svcmailbox.core.topic;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;

/** Where topics and their settings are kept. Every change is on disk when its method returns. */
public interface TopicStore {
  /**
   * A topic as stored.
   *
   * @param id never used again after the topic is deleted
   */
  record StoredTopic(int id, TopicName name, TopicState state) {}

  /** Every topic, in no order. */
  List<StoredTopic> all();

  /** One topic, if it exists. */
  Optional<StoredTopic> find(TopicName name);

  /** Makes the topic, or returns the one that is there: concurrent calls agree on one. */
  StoredTopic create(TopicName name, TopicState state);

  /**
   * Replaces the state of an existing topic.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  void update(TopicName name, TopicState state);

  /**
   * Removes the topic; unknown names are no error. Its ledgers are marked in the same transaction
   * and removed piece by piece later, by {@code SendLog.sweepDeleted}; its keys, which contain its
   * id, are nobody's any more and go when their window ends.
   */
  void delete(TopicName name);
}
