package org.svcmailbox.core.broker;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicQueues;

/**
 * The queues under the mailbox. Any thread. Every method throws {@link UnavailableException} when
 * the broker is away. Creating a queue that exists, or deleting one that does not, is no error.
 */
public interface Broker {
  /**
   * The counts of a shard's queue. {@code messages} includes messages in delivery and scheduled
   * ones; the age is 0 if no message is ready.
   */
  record QueueCounts(long messages, long scheduled, long oldestReadyAgeMillis) {
    public static final QueueCounts NOTHING = new QueueCounts(0, 0, 0);
  }

  /**
   * A shard's ready, delivering and scheduled messages, and their bytes in the broker's storage.
   */
  record Held(long messages, long bytes) {
    public static final Held NOTHING = new Held(0, 0);
  }

  /** All queues that are not empty. */
  record Contents(Map<ShardId, Held> messages, Map<TopicName, Long> deadLetters) {
    public Held messages(ShardId shard) {
      return messages.getOrDefault(shard, Held.NOTHING);
    }

    public long deadLetters(TopicName topic) {
      return deadLetters.getOrDefault(topic, 0L);
    }
  }

  /** A new transacted session, which has no log yet. */
  BrokerSession open();

  /**
   * Whether a worker's log exists and has entries. An empty one is looked at for ten seconds,
   * because entries may be on their way back to it.
   */
  boolean hasLog(WorkerId worker);

  /**
   * Makes a worker's log with {@link BatchLogEntry#seed}, in place of an empty one. Only for a log
   * that {@link #hasLog} denies: the entries of another one would be lost.
   *
   * @param last the worker's last batch
   */
  void makeLog(WorkerId worker, BatchId last);

  /** The workers that have a log in the broker, from this process or another. */
  List<WorkerId> loggedWorkers();

  /** Throws {@link UnavailableException} when the broker does not answer. */
  void requireAnswer();

  /** Creates a topic's queues, and the mark with its id. */
  void createQueues(Topic topic);

  /** The topics with queues or a mark made by {@link #createQueues}. */
  Map<TopicName, TopicQueues> topics();

  /**
   * Creates missing queues and marks after one look at all of them, and removes marks with other
   * ids. Returns the topics that lacked any.
   */
  List<TopicName> createMissing(Collection<Topic> topics);

  /** Removes shard 0 first and the mark last. */
  void deleteQueues(Topic topic);

  /**
   * As above, of a topic that other processes used too, so that there may be queues of dead letters
   * that this one does not know.
   *
   * @param isEnding asked before each queue, on the connection that removes it. So a process that
   *     stopped behind an answer removes nothing once the broker has ended the connection
   * @throws UnavailableException also if it is not ending; some queues may be gone
   */
  void deleteQueues(Topic topic, BooleanSupplier isEnding);

  /** Forgets what this process knows of a topic's dead letters, whose queues may go. */
  void forgetLetters(TopicName topic);

  void deleteQueue(ShardId shard);

  /**
   * The contents of all queues, fast even if most are empty. Exact while nothing is sent or
   * received.
   */
  Contents contents();

  long messages(ShardId shard);

  /** The messages of a shard. Exact while nothing is sent or received. */
  Held held(ShardId shard);

  /** The counts of a shard's queue, in constant time. */
  QueueCounts counts(ShardId shard);

  /** Removes all messages of a shard that are not yet due; returns how many. */
  long removeScheduled(ShardId shard);

  /**
   * At most {@code most} messages that are not yet due, after {@code after} in {@link
   * ScheduledMessage#ORDER}. Omits messages that cannot be decoded.
   *
   * @throws UnavailableException also if this broker cannot tell
   */
  List<ScheduledMessage> scheduled(ShardId shard, ScheduledMessage.Position after, int most);

  /**
   * Removes a message that is not yet due, in a transaction of its own; on disk on return. Only for
   * the shard's worker, between its transactions.
   *
   * @return whether it was there
   * @throws UnavailableException also if this broker cannot tell
   */
  boolean removeScheduled(ShardId shard, MsgId msgId);

  /**
   * The result of a search in a queue.
   *
   * @param isWhole whether the whole queue was seen
   */
  record Searched(@Nullable QueuedMessage seen, boolean isWhole) {}

  /**
   * Looks for a message in a shard's queue without taking it: not yet due, ready, or delivered and
   * not ended. One that changes its place meanwhile may be missed. A long queue is not seen whole.
   */
  Searched search(ShardId shard, MsgId msgId);

  /** Whether the broker has messages that it gave up on and that are not yet dead letters. */
  boolean hasUndeliverable();

  long deadLetters(TopicName topic);

  /**
   * Removes at most {@code most} of a topic's oldest dead letters; returns how many. Letters that
   * died in one transaction count as equally old.
   */
  int removeDeadLetters(TopicName topic, int most);

  /** Broker settings that are wrong for this service, for operators. */
  List<String> violations();
}
