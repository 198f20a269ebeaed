package org.svcmailbox.core.broker;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;

/**
 * A transacted session. Everything staged before {@link #commit} happens together or not at all.
 * Owned by one thread.
 *
 * <p>When the broker is away or the outcome is unknown, methods throw {@link UnavailableException}
 * and the session can only be closed. Its messages then return to their queues: fetched ones at
 * once and in order, including those whose end was staged.
 */
public interface BrokerSession extends AutoCloseable {

  /**
   * Whether a shard has its queue; staging for a missing one costs the session. A remote broker's
   * answer is cached for a second.
   */
  boolean hasQueue(ShardId shard);

  /** Whether there are undeliverable or expired messages that are not yet sorted. */
  boolean hasUndeliverable();

  /**
   * Stages a message for the end of its shard's queue, or for {@code deliverAt}; returns its bytes
   * there, as {@link Broker#held} counts them.
   */
  long enqueue(ShardId shard, StoredMessage message, @Nullable Instant deliverAt);

  void acknowledge(Delivery delivery);

  /**
   * Stages an acknowledge and a successor for the next attempt, with {@code failure} in its
   * history, at the head of its queue from {@code deliverAt}.
   *
   * @param expiresAt when it becomes a dead letter unless received (wall clock)
   * @return its bytes there
   */
  long redeliver(Delivery delivery, MessageEvent failure, Instant deliverAt, Instant expiresAt);

  /**
   * Stages an acknowledge and the same message at the head of its queue, with another expiry (wall
   * clock).
   */
  void prolong(Delivery delivery, Instant expiresAt);

  /**
   * Stages an acknowledge and a dead letter, which is kept until {@code expiresAt} (wall clock).
   */
  void quarantine(Delivery delivery, Quarantine why, Instant expiresAt);

  /**
   * Takes a dead letter, as {@link #fetch} takes messages; false if it is missing or held
   * elsewhere.
   */
  boolean takeLetter(LetterAddress letter);

  void acknowledgeLetter(LetterAddress letter);

  /** Gives back dead letters that are held and not acknowledged. Only between transactions. */
  void returnLetters();

  /**
   * A worker's batch log, which this session waits for from the first call on. A session may have
   * several: a commit changes all of them or none.
   *
   * @throws UnavailableException also if the worker has no log; the session goes on
   */
  SessionLog log(WorkerId worker);

  /**
   * Makes everything staged durable; on disk on return.
   *
   * @return whether the broker was asked; false if nothing was staged
   */
  boolean commit();

  /**
   * Asks the broker whether it still has this session. Its answer means that no other session got
   * one of this session's messages or logs before the question left. Only between transactions.
   *
   * @throws UnavailableException if it has not, or does not answer within the time of a commit
   */
  void ask();

  /**
   * Takes at most {@code max} messages in queue order, and starts receiving from the shard.
   * Messages that are unreadable, altered, or were delivered to too many failed sessions, are
   * staged for quarantine instead.
   *
   * @param certain whether an empty answer must mean an empty queue (one round trip) or just that
   *     nothing is prefetched
   */
  Fetched fetch(ShardId shard, int max, boolean certain);

  /**
   * Takes expired messages from anywhere among the prefetched ones, which {@link #fetch} would
   * return later. The others keep their places. Makes no call to the broker, and ends no watch.
   */
  Fetched fetchExpired(ShardId shard, int max, Lifetime lifetime);

  /** Decides whether a message has expired; must not use the session. */
  interface Lifetime {
    boolean isOver(Instant readySince, Instant expiresAt);
  }

  /**
   * The result of a fetch.
   *
   * @param leftOut the messages staged for quarantine instead
   */
  record Fetched(List<Delivery> deliveries, List<LeftOut> leftOut) {}

  /**
   * A message that was staged for quarantine.
   *
   * @param bytes its bytes in its queue
   */
  record LeftOut(DeadLetterReason reason, long bytes) {}

  /**
   * Calls {@code arrived} once, when the shard has a prefetched message or the session is lost:
   * from another thread, or before this returns. The next {@link #fetch} ends the watch. {@code
   * arrived} must not block.
   */
  void watch(ShardId shard, Runnable arrived);

  /**
   * Stops receiving from a shard; its unacknowledged messages return to the queue in order. Only
   * between transactions.
   */
  void release(ShardId shard);

  /**
   * As {@link #close}, for an owner that failed: if possible, the broker counts a delivery of each
   * held message, and dead-letters a message after too many.
   */
  void fail();

  /** Ends the session without committing; never throws. */
  @Override
  void close();
}
