package org.svcmailbox.ejb.codec;

import java.io.ByteArrayOutputStream;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.client.ClientMessage;

/**
 * A message from a consumer, with its complete body.
 *
 * @param body never modified
 * @param deliveries how often it was delivered, including this time
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
public record Received(
    ICoreMessage message, byte[] body, int deliveries, Acknowledgement acknowledgement) {

  /** Stages the acknowledgement of a message. */
  public interface Acknowledgement {
    void stage() throws ActiveMQException;
  }

  /**
   * Reads a message of Artemis' client. Waits for the rest of a streamed body; call it before
   * taking anything else from the same consumer.
   */
  public static Received of(ClientMessage message) throws ActiveMQException {
    return new Received(
        message,
        message.isLargeMessage() ? streamed(message) : whole(message),
        message.getDeliveryCount(),
        message::individualAcknowledge);
  }

  /** Reads a message of this process's broker, whose body is in memory or in a file. */
  public static Received of(ICoreMessage message, int deliveries, Acknowledgement acknowledgement) {
    return new Received(message, whole(message), deliveries, acknowledgement);
  }

  private static byte[] streamed(ClientMessage message) throws ActiveMQException {
    ByteArrayOutputStream to = new ByteArrayOutputStream(Math.max(0, message.getBodySize()));
    message.saveToOutputStream(to);
    return to.toByteArray();
  }

  private static byte[] whole(ICoreMessage message) {
    ActiveMQBuffer buffer = message.getDataBuffer();
    byte[] body = new byte[buffer.readableBytes()];
    buffer.readBytes(body);
    return body;
  }
}
