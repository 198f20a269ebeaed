package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;

/**
 * A point that a session's flow control passes in order. The Artemis client sends consumer credits
 * from an ordered executor of the session. Only a consumer without a buffer can wait for that
 * executor, by its reset. This is such a consumer: a browser that never asks for anything.
 */
final class FlowBarrier {
  private final ClientConsumerInternal consumer;

  FlowBarrier(ClientSession session, SimpleString queue) throws ActiveMQException {
    consumer = (ClientConsumerInternal) session.createConsumer(queue, null, 0, -1, true);
  }

  /** Returns when everything the session's flow control had to send before has been sent. */
  void await() throws ActiveMQException {
    consumer.resetIfSlowConsumer();
  }
}
