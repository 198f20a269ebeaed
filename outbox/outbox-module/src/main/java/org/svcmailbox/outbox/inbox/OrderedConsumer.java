package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;

/**
 * A consumer that fetches only while it holds the {@link ReceiverTurn}. One of the consumers that
 * share the turn handles all messages, and so keeps the order of each aggregate; the others stand
 * by. Thread-safe.
 */
public final class OrderedConsumer implements EventConsumer {
  private static final Duration STAND_BY = Duration.ofSeconds(1);

  private final EventConsumer topic;
  private final ReceiverTurn turn;

  public OrderedConsumer(EventConsumer topic, ReceiverTurn turn) {
    this.topic = requireNonNull(topic, "topic");
    this.turn = requireNonNull(turn, "turn");
  }

  @Override
  public List<Delivery> fetch(int batch) throws InterruptedException {
    if (turn.take()) {
      return topic.fetch(batch);
    }
    Thread.sleep(STAND_BY.toMillis());
    return List.of();
  }

  @Override
  public boolean holds(Delivery message) {
    return topic.holds(message);
  }

  @Override
  public void ack(Delivery message) {
    topic.ack(message);
  }

  @Override
  public void nak(Refused message) {
    topic.nak(message);
  }

  /** For logs. */
  @Override
  public String toString() {
    return String.valueOf(topic);
  }
}
