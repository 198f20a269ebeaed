package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/**
 * The mover of what the broker gave up on by itself, after too many deliveries or past its
 * retention, from {@code mailbox.dlq} to the dead letters of its topic. Each move is one
 * transaction with the acknowledge, so none is lost or doubled. Here end dead letters whose own
 * retention is over, and messages whose topic was deleted: its deletion meant them too. One that
 * does not say where it belongs becomes a dead letter of {@link TopicDirectory#UNSORTED}.
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
   */
  public record Sorted(Map<Dead, Integer> dead, int returned, int ended, int deleted) {
    /** How many messages were taken; after none there is nothing left for now. */
    public int total() {
      return dead.values().stream().mapToInt(Integer::intValue).sum() + returned + ended + deleted;
    }
  }

  /**
   * Where new dead letters come from.
   *
   * @param shard where the broker took them from, null when that is not known
   */
  public record Dead(@Nullable ShardId shard, TopicName topic, DeadLetterReason reason) {}

  private final BrokerConnections connections;
  private final LetterSegments letters;
  private final StagedDeadLetters deadLetters;
  private final InstantSource clock;
  private final Function<TopicName, Duration> retention;
  private final Runnable unsorted;
  private @Nullable Connection connection;
  private @Nullable SortingSession sorting;

  public UndeliverableSorter(
      BrokerConnections connections,
      LetterSegments letters,
      StagedDeadLetters deadLetters,
      InstantSource clock,
      Function<TopicName, Duration> retention,
      Runnable unsorted) {
    this.connections = connections;
    this.letters = letters;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.retention = retention;
    this.unsorted = unsorted;
  }

  /**
   * Moves at most {@link #BATCH} messages.
   *
   * @throws UnavailableException when the broker is away, or the thread is interrupted; the next
   *     step begins again
   */
  public Sorted step() {
    try {
      return open().step(clock.instant());
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
      present = new SortingSession(connection.session(), letters, deadLetters, retention, unsorted);
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
