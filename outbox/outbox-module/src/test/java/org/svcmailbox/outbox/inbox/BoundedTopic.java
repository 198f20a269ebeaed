package org.svcmailbox.outbox.inbox;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.svcmailbox.outbox.event.MessageId;

/**
 * A topic of the service with an endless backlog and a bound on the messages that all consumers
 * hold. It fills a batch from one shard, and refuses when it is full.
 */
final class BoundedTopic implements EventConsumer {
  private final int shards;
  private final int maxHeld;
  private final Random random = new Random(7);
  private int held;
  private int acknowledged;
  private int refusals;
  private int next;

  BoundedTopic(int shards, int maxHeld) {
    this.shards = shards;
    this.maxHeld = maxHeld;
  }

  @Override
  public synchronized List<Delivery> fetch(int batch) {
    if (held >= maxHeld) {
      refusals++;
      throw new TopicSaturatedException("429", new IllegalStateException("429"));
    }
    int count = Math.min(batch, maxHeld - held);
    int shard = random.nextInt(shards);
    held += count;
    return IntStream.range(0, count)
        .mapToObj(
            i -> EventMessages.delivery(MessageId.next(), "m", 1, shard, Integer.toString(next++)))
        .toList();
  }

  @Override
  public synchronized void ack(Delivery message) {
    held--;
    acknowledged++;
  }

  @Override
  public synchronized void nak(Refused message) {
    // A message that no handler has begun comes back at the end.
    held--;
  }

  synchronized int acknowledged() {
    return acknowledged;
  }

  synchronized int refusals() {
    return refusals;
  }
}
