package org.svcmailbox.core.topic;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;

/**
 * The topics that several nodes share; their rows are the truth. Each change takes a version from a
 * counter in its own transaction, and changes of all topics happen one after the other. So a reader
 * that has seen a version can see all earlier changes. Changes are on disk on return.
 *
 * <p>Calls throw {@link org.svcmailbox.core.problem.UnavailableException} while the database is
 * away; a change may have happened then.
 */
public interface SharedTopicStore {
  /** How far a topic's deletion is. */
  enum Stage {
    /** It is not deleted. */
    LIVE,
    /** The nodes learn that it is deleted, and then its queues go. */
    ENDING,
    /** It has no queues, and its name is not free yet. */
    EMPTIED
  }

  /**
   * A topic's row.
   *
   * @param version of its last change; the end of its deletion is none
   */
  record Row(StoredTopic topic, long version, Stage stage) {
    /** The row of a topic that is not deleted. */
    Row(StoredTopic topic, long version) {
      this(topic, version, Stage.LIVE);
    }

    boolean isLive() {
      return stage == Stage.LIVE;
    }
  }

  /**
   * The changes after a version.
   *
   * @param version all changes up to this one are among the rows, or happened before
   * @param removed the highest version of a removed row; a reader that knows only earlier changes
   *     may have missed its deletion
   */
  record Changes(long version, List<Row> rows, long removed) {
    public Changes {
      rows = List.copyOf(rows);
    }
  }

  /** A version before that of every row. */
  long NOTHING = -1;

  /** The rows that changed after a version. */
  Changes after(long version);

  /** The row of a name. */
  Optional<Row> row(TopicName name);

  /**
   * Creates a topic with an id of its own.
   *
   * @param above the new id is higher, because a store that fell back would reuse an id
   * @return empty if the name has a row, and nothing changed
   */
  Optional<Row> add(TopicName name, TopicState state, int above);

  /**
   * Changes a topic.
   *
   * @param version of the row that the change is made from
   * @return empty if that row has changed or is gone, and nothing changed
   */
  Optional<Row> replace(StoredTopic topic, long version);

  /**
   * Begins the deletion of a topic.
   *
   * @param version of the row that the caller knows
   * @return empty if that row has changed or is gone, and nothing changed
   */
  Optional<Row> end(StoredTopic topic, long version);

  /** The topics whose deletion has begun, in any order. */
  List<Row> ended();

  /** Records that a topic that is being deleted has no queues any more. */
  void emptied(int id);

  /**
   * Frees the name of a topic that has no queues any more, and marks its ledgers as {@link
   * TopicStore#delete} does. No error if it is done already.
   */
  void remove(int id);

  /**
   * Writes a topic that the store has lost in falling back. A row that is as new stays, and one of
   * an earlier topic of this name is removed. All later versions are higher.
   *
   * @param version of the lost row
   * @return empty if there is a row of this version, a newer one, or one of a later topic
   */
  Optional<Row> writeAgain(StoredTopic topic, long version);
}
