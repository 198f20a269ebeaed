package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.ejb.codec.Received;

/**
 * One session's consumer on one shard's queue, which can be asked and can be watched. Called by the
 * session's owner, but for {@link #fail}.
 */
public interface ShardConsumer {
  /** Bytes that the broker may prefetch for one shard. */
  int WINDOW_BYTES = 256 * 1024;

  /**
   * The next message, null when there is none; ends the watch.
   *
   * @param certain whether null must mean that the queue has nothing ready, at the price of a round
   *     trip to the broker
   */
  @Nullable Received next(boolean certain) throws ActiveMQException;

  /**
   * A message that the broker has handed over, wherever it is, and that expired by the broker's
   * clock; null when there is none. Asks the broker nothing.
   *
   * @param now in milliseconds, on the broker's clock
   */
  @Nullable Received nextExpired(long now) throws ActiveMQException;

  /** Whether a message expired by {@code now}, which is a time of the broker's clock. */
  static boolean isExpired(Message message, long now) {
    return message.getExpiration() != 0 && message.getExpiration() <= now;
  }

  /** Calls {@code arrived} once, when a message is prefetched; replaces an earlier watch. */
  void watch(Runnable arrived) throws ActiveMQException;

  /** Tells the watcher that the session is lost, so that it finds out by asking. Any thread. */
  void fail();

  /** Gives back everything that was not acknowledged. */
  void close() throws ActiveMQException;
}
