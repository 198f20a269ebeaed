package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.core.topic.ShardId;

/**
 * One worker's transacted conversation with the broker. Everything staged since the last {@link
 * #commit} happens together or not at all. Owned by one thread.
 *
 * <p>Every method throws {@link UnavailableException} when the broker is away or the outcome is
 * unknown; the session is then of no use but to be closed, and whatever it held goes back to its
 * queue by itself: at once and in order what was only fetched; what it had staged an end for,
 * perhaps after the broker's own pause between redeliveries.
 */
public interface BrokerSession extends AutoCloseable {

  /**
   * Whether a shard has its queue. Staging a message for one that has none costs the session. The
   * answer of a broker in another process is believed for a second.
   */
  boolean hasQueue(ShardId shard);

  /**
   * Stages a message for the end of its shard's queue, or for {@code deliverAt} if given.
   *
   * @return the bytes it will take there, as {@link Broker#held} counts them
   */
  long enqueue(ShardId shard, StoredMessage message, @Nullable Instant deliverAt);

  /** Stages the end of one delivered message. */
  void acknowledge(Delivery delivery);

  /**
   * Stages the successor of a delivered message together with its acknowledge: the same message for
   * the next attempt, with {@code failure} in its history and as its last error, ready at {@code
   * deliverAt}, when it goes to the head of its queue.
   *
   * @param expiresAt when, unread, it becomes a dead letter (wall clock)
   * @return the bytes it will take there
   */
  long redeliver(Delivery delivery, MessageEvent failure, Instant deliverAt, Instant expiresAt);

  /**
   * Stages the move of a delivered message to its topic's dead-letter queue together with its
   * acknowledge.
   *
   * @param expiresAt until when the dead letter is kept (wall clock)
   */
  void quarantine(Delivery delivery, Quarantine why, Instant expiresAt);

  /**
   * Takes a dead letter, as {@link #fetch} takes messages.
   *
   * @return whether it is there and nobody else has it, held by this session from now on
   */
  boolean takeLetter(LetterAddress letter);

  /** Stages the end of a dead letter that this session holds. */
  void acknowledgeLetter(LetterAddress letter);

  /** Gives back every dead letter that is held and was not acknowledged; between transactions. */
  void returnLetters();

  /**
   * Takes the entries of the worker's log that have arrived since the last call, in the order they
   * were sent. This session holds them until it acknowledges them.
   *
   * <p>An entry that a transaction acknowledged is received by nobody until that transaction has
   * ended, however its session ended: then it is gone with a commit, and comes back with a
   * rollback. Once another session has received it, no transaction of the earlier one that
   * acknowledges it can be committed any more.
   *
   * @param atMost how long to wait for the first one; zero to take what is there
   */
  List<LogEntry> receiveLog(Duration atMost);

  /** Stages the end of an entry of the worker's log that this session holds. */
  void acknowledgeLog(LogEntry entry);

  /** Stages an entry for the end of the worker's log. */
  void appendLog(LogEntry entry);

  /** Makes everything staged durable; on return it is on disk. A no-op when nothing is staged. */
  void commit();

  /**
   * Takes messages of one shard, in queue order, beginning to receive from it if this is the first
   * time. A message that cannot be decoded, was altered, or was delivered too often to sessions
   * that failed or were killed, is staged for quarantine and left out.
   *
   * @param max at most so many, at least 1
   * @param certain whether an empty answer must mean that the queue has nothing ready right now
   *     (one round trip to the broker), or just that nothing is at hand
   */
  Fetched fetch(ShardId shard, int max, boolean certain);

  /**
   * What one fetch gave.
   *
   * @param leftOut those that it put among the dead letters instead
   */
  record Fetched(List<Delivery> deliveries, List<LeftOut> leftOut) {}

  /**
   * A message that a fetch put among the dead letters.
   *
   * @param bytes what it took in its queue
   */
  record LeftOut(DeadLetterReason reason, long bytes) {}

  /**
   * Asks to be told, once, as soon as the shard has a message at hand or the session is lost: from
   * another thread, or before this returns. The next {@link #fetch} of that shard ends the watch.
   *
   * @param arrived must not block: the broker's client has few threads
   */
  void watch(ShardId shard, Runnable arrived);

  /**
   * Stops receiving from a shard; everything of it that was fetched and not acknowledged goes back
   * to the queue, in order. Only between transactions.
   */
  void release(ShardId shard);

  /**
   * As {@link #close}, for an owner that failed, perhaps because of a message: where the broker can
   * tell, it counts this as a delivery of all that the session holds, and gives up on a message
   * after too many.
   */
  void fail();

  /** Ends the session without committing; never throws. */
  @Override
  void close();
}
