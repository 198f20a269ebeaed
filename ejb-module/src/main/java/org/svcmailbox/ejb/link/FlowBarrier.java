package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;

/**
 * Waits for a session's flow control. The Artemis client sends consumer credits from the session's
 * ordered executor, and only the reset of a consumer without a buffer waits for that executor. This
 * is such a consumer: a browser that never asks for anything.
 */
final class FlowBarrier {
  private final ClientConsumerInternal consumer;

  FlowBarrier(ClientSession session, SimpleString queue) throws ActiveMQException {
    consumer = (ClientConsumerInternal) session.createConsumer(queue, null, 0, -1, true);
  }

  /** Returns when everything that the session's flow control had to send has been sent. */
  void await() throws ActiveMQException {
    consumer.resetIfSlowConsumer();
  }
}
