package org.svcmailbox.ejb.broker;

import java.time.Instant;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.ShardConsumer;

/** A message that an {@link ArtemisBrokerSession} has received and not yet ended. */
final class ArtemisDelivery implements Delivery {
  private final ShardConsumer consumer;
  private final ShardId shard;
  private final Received received;
  private final StoredMessage message;
  private boolean ended;
  private boolean verified;

  ArtemisDelivery(ShardConsumer consumer, ShardId shard, Received received, StoredMessage message) {
    this.consumer = consumer;
    this.shard = shard;
    this.received = received;
    this.message = message;
  }

  @Override
  public StoredMessage message() {
    return message;
  }

  @Override
  public Instant readySince() {
    return Instant.ofEpochMilli(received.message().getTimestamp());
  }

  @Override
  public long bytes() {
    return received.message().getEncodeSize();
  }

  @Override
  public boolean wasDelayed() {
    return received.message().containsProperty(Message.HDR_SCHEDULED_DELIVERY_TIME);
  }

  @Override
  public boolean isVerified() {
    return verified;
  }

  @Override
  public void verified() {
    verified = true;
  }

  ShardId shard() {
    return shard;
  }

  Received received() {
    return received;
  }

  /** Whether {@code current} delivered it and it may still be ended. */
  boolean isOpen(@Nullable ShardConsumer current) {
    return consumer == current && !ended;
  }

  void end() {
    ended = true;
  }
}
