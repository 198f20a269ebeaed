package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/**
 * Moves messages that the broker gave up on, after too many deliveries or past their retention,
 * from {@code mailbox.dlq} to the dead letters of their topic. The transaction that moves a message
 * also acknowledges it, so no message is lost or duplicated.
 *
 * <p>Dead letters whose own retention is over end here, and so do messages whose topic was deleted.
 * A message that names no topic becomes a dead letter of {@link TopicDirectory#UNSORTED}. An
 * expired message that a consumer may have held returns to its queue.
 *
 * <p>One thread at a time; two sorters do not disturb each other.
 */
public final class UndeliverableSorter implements AutoCloseable {
  /**
   * The most messages that one step moves. They are one transaction, which senders' commits wait
   * for.
   */
  public static final int BATCH = 250;

  /** Payload bytes after which a step stops, so that its transaction delays nobody for long. */
  static final long BATCH_BYTES = 1L << 20;

  /**
   * The result of one step.
   *
   * @param dead counts of new dead letters by origin
   * @param returned dead letters that are back among their topic's dead letters
   * @param ended dead letters whose retention was over
   * @param deleted messages and dead letters of deleted topics
   * @param revived expired messages that are back in their queue with a new life
   * @param shards the shards of the revived messages
   */
  public record Sorted(
      Map<Dead, Integer> dead,
      int returned,
      int ended,
      int deleted,
      int revived,
      Set<ShardId> shards) {
    public Sorted(Map<Dead, Integer> dead, int returned, int ended, int deleted) {
      this(dead, returned, ended, deleted, /* revived= */ 0, Set.of());
    }

    /** The number of messages taken; 0 means that nothing is left for now. */
    public int total() {
      return dead.values().stream().mapToInt(Integer::intValue).sum()
          + returned
          + ended
          + deleted
          + revived;
    }

    /** Whether there is anything besides messages that expired in time. */
    public boolean isUnusual() {
      return returned + deleted + revived > 0
          || dead.keySet().stream().anyMatch(one -> one.reason() != DeadLetterReason.EXPIRED);
    }
  }

  /**
   * Times that decide whether an expired message lives on.
   *
   * @param sessions when the session of a shard's worker began
   * @param retention how long a topic's messages may be ready
   * @param started when the process began, on its own clock
   */
  public record Lives(
      Function<ShardId, Instant> sessions,
      Function<TopicName, Duration> retention,
      Instant started) {}

  /**
   * The origin of new dead letters.
   *
   * @param shard where the broker took them from, null if unknown
   */
  public record Dead(@Nullable ShardId shard, TopicName topic, DeadLetterReason reason) {}

  @FunctionalInterface
  private interface Sessions {
    SortingSession over(ClientSession session) throws ActiveMQException;
  }

  private final BrokerConnections connections;
  private final Sessions sessions;
  private @Nullable Connection connection;
  private @Nullable SortingSession sorting;

  /**
   * Connects on first use.
   *
   * @param retention how long a topic's dead letters are kept
   * @param lives decides on expired messages
   */
  public UndeliverableSorter(
      BrokerConnections connections,
      NamesOnDisk names,
      LetterSegments letters,
      StagedDeadLetters deadLetters,
      BrokerClock brokerClock,
      Function<TopicName, Duration> retention,
      Runnable unsorted,
      Lives lives) {
    this.connections = connections;
    ExpiredMessages expired = new ExpiredMessages(brokerClock, lives);
    this.sessions =
        session ->
            new SortingSession(
                session, letters, deadLetters, retention, unsorted, expired, brokerClock, names);
  }

  /**
   * Moves at most {@link #BATCH} messages.
   *
   * @throws UnavailableException when the broker is away, or the thread is interrupted; the next
   *     step starts over
   */
  public Sorted step() {
    try {
      return open().step();
    } catch (ActiveMQException e) {
      close();
      throw new UnavailableException("the broker failed to sort undeliverable messages", e);
    } catch (ActiveMQInterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while sorting undeliverable messages", e);
    } catch (RuntimeException e) {
      // A half-done transaction must not become part of the next one.
      close();
      throw e;
    }
  }

  private SortingSession open() throws ActiveMQException {
    SortingSession present = sorting;
    if (present == null) {
      connection = connections.open(true);
      present = sessions.over(connection.session());
      sorting = present;
    }
    return present;
  }

  @Override
  public void close() {
    Connection present = connection;
    connection = null;
    SortingSession unfinished = sorting;
    sorting = null;
    if (unfinished != null) {
      unfinished.ended();
    }
    if (present != null) {
      present.close();
    }
  }
}
