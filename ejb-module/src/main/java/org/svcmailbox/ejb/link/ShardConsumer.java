package org.svcmailbox.ejb.link;

import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.ejb.codec.Received;

/**
 * One session's consumer on one shard's queue. The session's owner calls it, except {@link #fail}.
 */
public interface ShardConsumer {
  /** Bytes that the broker may prefetch for one shard. */
  int WINDOW_BYTES = 256 * 1024;

  /**
   * The next message, null if there is none; ends the watch.
   *
   * @param certain whether null must mean that the queue has nothing ready, at the cost of a round
   *     trip to the broker
   */
  @Nullable Received next(boolean certain) throws ActiveMQException;

  /**
   * The first matching message among those that the broker has delivered, null if there is none.
   * The others keep their places. Does not ask the broker.
   */
  @Nullable Received next(Predicate<Message> wanted) throws ActiveMQException;

  /** Calls {@code arrived} once, when a message is prefetched; replaces an earlier watch. */
  void watch(Runnable arrived) throws ActiveMQException;

  /** Tells the watcher that the session is lost, so that it finds out by asking. Any thread. */
  void fail();

  /** Returns everything that was not acknowledged. */
  void close() throws ActiveMQException;
}
