package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;

/**
 * One transacted channel to Artemis: through its client ({@link ClientLink}), wherever the broker
 * is, or directly into the broker of this process ({@link DirectLink}). Owned by one thread.
 *
 * <p>Sending and acknowledging neither wait nor fail: when one of them fails, the broker marks the
 * transaction, and the commit fails.
 */
public interface BrokerLink extends AutoCloseable {
  /** Whether a queue exists; for a broker in another process, the answer may be a second old. */
  boolean hasQueue(SimpleString queue) throws ActiveMQException;

  /** The number of messages in a queue; 0 if the queue is missing. */
  long countMessages(SimpleString queue) throws ActiveMQException;

  /** Stages a message. */
  void send(SimpleString queue, CoreMessage message) throws ActiveMQException;

  /** Commits everything staged; on return it is on disk. */
  void commit() throws ActiveMQException;

  /**
   * Asks whether the broker still has this link's session. Nothing must be staged.
   *
   * @throws ActiveMQException if it has not, or does not answer in time
   */
  void ask() throws ActiveMQException;

  /** Starts to receive from a queue. */
  default ShardConsumer consume(SimpleString queue) throws ActiveMQException {
    return consume(queue, null);
  }

  /**
   * Starts to receive from a queue.
   *
   * @param filter selects messages, null for all
   */
  ShardConsumer consume(SimpleString queue, @Nullable SimpleString filter) throws ActiveMQException;

  /**
   * Starts to receive from a queue that the link releases after all others when it ends. Call it
   * before anything else is received from the queue.
   */
  default ShardConsumer consumeLast(SimpleString queue) throws ActiveMQException {
    return consume(queue);
  }

  /**
   * Registers a listener for the loss of the link or of the broker. It may run on any thread, and
   * more than once.
   */
  void onLoss(Runnable lost);

  /**
   * As {@link #close}, for an owner that failed. If the link can, it makes the broker count a
   * delivery of everything that was received and not acknowledged.
   */
  default void fail() {
    close();
  }

  /**
   * Ends the link without committing; never throws. Returns everything that was received, in order,
   * before it releases a queue of {@link #consumeLast}.
   */
  @Override
  void close();
}
