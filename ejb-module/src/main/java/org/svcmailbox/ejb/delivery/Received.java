package org.svcmailbox.ejb.delivery;

import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/**
 * A message taken from a consumer, read to its end.
 *
 * @param body never written after this was made
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record Received(ClientMessage message, byte[] body) {
  static Received of(ClientMessage message) throws ActiveMQException {
    return new Received(message, MessageCodec.body(message));
  }
}
