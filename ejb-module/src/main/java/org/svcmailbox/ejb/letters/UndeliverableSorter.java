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
 * The mover of what the broker gave up on by itself, after too many deliveries or past its
 * retention, from {@code mailbox.dlq} to the dead letters of its topic. Each move is one
 * transaction with the acknowledge, so none is lost or doubled. Here end dead letters whose own
 * retention is over, and messages whose topic was deleted: its deletion meant them too. One that
 * does not say where it belongs becomes a dead letter of {@link TopicDirectory#UNSORTED}. An
 * expired one that a consumer may have had goes back into its queue.
 *
 * <p>For one thread at a time, a timer's; two sorters do not disturb each other.
 */
public final class UndeliverableSorter implements AutoCloseable {
  /** The most messages one step moves, in one transaction: commits of senders wait behind it. */
  public static final int BATCH = 250;

  /** Payload bytes after which a step takes no more, so that no transaction holds others up. */
  static final long BATCH_BYTES = 1L << 20;

  /**
   * The result of one step.
   *
   * @param dead the new dead letters, counted by where they come from
   * @param returned dead letters that are back where the broker took them from
   * @param ended dead letters whose retention was over
   * @param deleted messages and dead letters of topics that were deleted
   * @param revived expired messages that are back in their queue, with a new life
   * @param shards where those are
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

    /** How many messages were taken; after none there is nothing left for now. */
    public int total() {
      return dead.values().stream().mapToInt(Integer::intValue).sum()
          + returned
          + ended
          + deleted
          + revived;
    }

    /** Whether there is more than what expired in time. */
    public boolean isUnusual() {
      return returned + deleted + revived > 0
          || dead.keySet().stream().anyMatch(one -> one.reason() != DeadLetterReason.EXPIRED);
    }
  }

  /**
   * Times that decide about expired messages.
   *
   * @param sessions when the session of a shard's worker began
   * @param retention how long messages of a topic are ready
   * @param started when the process began, on its own clock
   */
  public record Lives(
      Function<ShardId, Instant> sessions,
      Function<TopicName, Duration> retention,
      Instant started) {}

  /**
   * Where new dead letters come from.
   *
   * @param shard where the broker took them from, null when that is not known
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
   * A sorter that connects when it is first used.
   *
   * @param retention how long dead letters of a topic are kept
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
   *     step begins again
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
      // Half a transaction must not become part of the next one.
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
