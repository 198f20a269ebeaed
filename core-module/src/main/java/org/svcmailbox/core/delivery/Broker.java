package org.svcmailbox.core.delivery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * The queues under the mailbox. Safe for many threads. Every method throws {@link
 * UnavailableException} when the broker is away.
 */
public interface Broker {
  /**
   * What a shard's queue holds.
   *
   * @param messages all of them: ready, delivering and scheduled
   * @param scheduled those whose time has not come
   * @param oldestReadyAgeMillis age of the first message that is ready, 0 when there is none
   */
  record QueueCounts(long messages, long scheduled, long oldestReadyAgeMillis) {}

  /**
   * The messages of a shard's queue: ready, delivering and scheduled.
   *
   * @param bytes what they take in the broker's storage: payload, envelope and properties
   */
  record Held(long messages, long bytes) {
    /** An empty queue. */
    public static final Held NOTHING = new Held(0, 0);
  }

  /**
   * What the queues hold that hold anything.
   *
   * @param messages of shards: ready, delivering and scheduled
   * @param deadLetters of topics
   */
  record Contents(Map<ShardId, Held> messages, Map<TopicName, Long> deadLetters) {
    /** The messages in a shard. */
    public Held messages(ShardId shard) {
      return messages.getOrDefault(shard, Held.NOTHING);
    }

    /** How many dead letters a topic has. */
    public long deadLetters(TopicName topic) {
      return deadLetters.getOrDefault(topic, 0L);
    }
  }

  /** A new transacted session for one worker, whose log is there and has {@link LogEntry#seed}. */
  BrokerSession open(int worker);

  /** The workers that the broker has a log of, from this process or another. */
  List<Integer> loggedWorkers();

  /**
   * Makes the durable queues of a topic's shards and its dead letters; repeating it is no error.
   */
  void createQueues(Topic topic);

  /**
   * Makes what is missing of the queues that {@link #createQueues} makes, and asks for all topics
   * at once which there are.
   *
   * @return the topics that lacked any
   */
  List<TopicName> createMissing(Collection<Topic> topics);

  /** Removes a topic's queues with everything in them; missing ones are no error. */
  void deleteQueues(Topic topic);

  /** Removes the queue of one shard with everything in it; a missing one is no error. */
  void deleteQueue(ShardId shard);

  /**
   * What all queues hold, in time that depends little on how many of them are empty. Exact while
   * nothing is sent or received.
   */
  Contents contents();

  /** How many messages a shard's queue holds: ready, delivering and scheduled. */
  long messages(ShardId shard);

  /** The same with their bytes; exact while nothing is sent or received. */
  Held held(ShardId shard);

  /** Counts of one shard's queue, in time that does not depend on how full it is. */
  QueueCounts counts(ShardId shard);

  /**
   * Removes the messages of a shard whose time has not come, for good.
   *
   * @return how many
   */
  long removeScheduled(ShardId shard);

  /**
   * The messages of a shard whose time has not come, in {@link ScheduledMessage#ORDER}; those that
   * cannot be decoded are left out.
   *
   * @param after behind this position
   * @param most so many
   * @throws UnavailableException also when this broker cannot tell
   */
  List<ScheduledMessage> scheduled(ShardId shard, ScheduledMessage.Position after, int most);

  /**
   * Removes one message of a shard if its time has not come, in a transaction of its own; on disk
   * when it returns. For the shard's worker, between its transactions.
   *
   * @return whether it was there
   * @throws UnavailableException also when this broker cannot tell
   */
  boolean removeScheduled(ShardId shard, MsgId msgId);

  /** How many dead letters a topic has. */
  long deadLetters(TopicName topic);

  /**
   * Removes the oldest dead letters of a topic, for good.
   *
   * @param most so many
   * @return how many
   */
  int removeDeadLetters(TopicName topic, int most);

  /**
   * What is wrong with the broker's settings for this service's addresses, in an operator's words;
   * empty when all is as it must be.
   */
  List<String> violations();
}
