package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;

/**
 * One transacted way to Artemis: through its client ({@link ClientLink}), wherever the broker is,
 * or straight into the broker of this process ({@link DirectLink}). Owned by one thread.
 *
 * <p>Sending and acknowledging do not wait and do not fail: the broker marks the transaction when
 * one of them fails, and then the commit does.
 */
public interface BrokerLink extends AutoCloseable {
  /** Whether a queue is there; from elsewhere, a second ago. */
  boolean hasQueue(SimpleString queue) throws ActiveMQException;

  /** How many messages a queue holds; 0 if there is no queue. */
  long countMessages(SimpleString queue) throws ActiveMQException;

  /** Stages a message. */
  void send(SimpleString queue, CoreMessage message) throws ActiveMQException;

  /** Makes everything staged durable; on return it is on disk. */
  void commit() throws ActiveMQException;

  /** Begins to receive from a queue. */
  default ShardConsumer consume(SimpleString queue) throws ActiveMQException {
    return consume(queue, null);
  }

  /**
   * Begins to receive from a queue.
   *
   * @param filter only messages it lets pass, null for all
   */
  ShardConsumer consume(SimpleString queue, @Nullable SimpleString filter) throws ActiveMQException;

  /**
   * Has {@code lost} told when the broker ended the link, or is gone; from any thread, perhaps more
   * than once.
   */
  void onLoss(Runnable lost);

  /**
   * As {@link #close}, for an owner that failed: where the link can, it has the broker count that
   * as a delivery of everything it received and did not acknowledge.
   */
  default void fail() {
    close();
  }

  /** Ends the link without committing; never throws. */
  @Override
  void close();
}
