package org.svcmailbox.core.topic;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;

/** Stores topics. Changes are on disk on return. */
public interface TopicStore {
  /** A stored topic; its id is never reused. */
  record StoredTopic(int id, TopicName name, TopicState state) {}

  List<StoredTopic> all();

  Optional<StoredTopic> find(TopicName name);

  /** Creates the topic, or returns the existing one: concurrent calls agree. */
  StoredTopic create(TopicName name, TopicState state);

  /** Throws {@code NotFoundException} when there is none. */
  void update(TopicName name, TopicState state);

  /**
   * Removes the topic if it exists and marks its ledgers, which {@code SendLog.sweepDeleted}
   * removes later. Its keys expire with their window.
   */
  void delete(TopicName name);
}
