package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.spi.core.protocol.SessionCallback;
import org.apache.activemq.artemis.spi.core.remoting.ReadyListener;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of the broker of this process to a {@link DirectLink}. They run on the broker's threads
 * and under its locks, so nothing here may block.
 */
final class DirectCallback implements SessionCallback {
  private final Runnable closed;

  /**
   * @param closed run when the broker has closed the session
   */
  DirectCallback(Runnable closed) {
    this.closed = closed;
  }

  private static @Nullable DirectShardConsumer of(ServerConsumer consumer) {
    return (DirectShardConsumer) consumer.getProtocolData();
  }

  /** False for a consumer that is still being created; it is prompted afterwards. */
  @Override
  public boolean hasCredits(ServerConsumer consumer) {
    DirectShardConsumer ours = of(consumer);
    return ours != null && ours.hasRoom();
  }

  @Override
  public int sendMessage(MessageReference message, ServerConsumer consumer, int deliveryCount) {
    DirectShardConsumer ours = of(consumer);
    if (ours == null) {
      throw new IllegalStateException("a message for a consumer that asked for none");
    }
    return ours.arrived(message);
  }

  @Override
  public void disconnect(ServerConsumer consumer, String errorMessage) {
    DirectShardConsumer ours = of(consumer);
    if (ours != null) {
      ours.end();
    }
  }

  @Override
  public void closed() {
    closed.run();
  }

  /** Leaves the count to the broker. */
  @Override
  public boolean updateDeliveryCountAfterCancel(
      ServerConsumer consumer, MessageReference message, boolean failed) {
    return false;
  }

  @Override
  public boolean isWritable(ReadyListener callback, Object protocolContext) {
    return true;
  }

  // The rest is for browsers, producer credits and streamed large messages, which are not used
  // here.

  @Override
  public int sendLargeMessage(
      MessageReference message, ServerConsumer consumer, long bodySize, int deliveryCount) {
    throw new UnsupportedOperationException("large messages come as a whole");
  }

  @Override
  public int sendLargeMessageContinuation(
      ServerConsumer consumer, byte[] body, boolean continues, boolean requiresResponse) {
    throw new UnsupportedOperationException("large messages come as a whole");
  }

  @Override
  public void afterDelivery() {}

  @Override
  public void browserFinished(ServerConsumer consumer) {}

  @Override
  public void sendProducerCreditsMessage(int credits, SimpleString address) {}

  @Override
  public void sendProducerCreditsFailMessage(int credits, SimpleString address) {}
}
