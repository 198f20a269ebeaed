package org.svcmailbox.ejb.delivery;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.LetterAddress;

/**
 * The dead letters that a worker's session holds while new messages are made of them, each with a
 * consumer of its own. Owned by the worker's thread.
 */
final class HeldLetters {
  /** How often the broker is asked again that may yet have to read a letter from a page. */
  private static final int TRIES = 10;

  private static final Duration PAUSE = Duration.ofMillis(5);

  private record Held(ShardConsumer consumer, Received received) {}

  private final BrokerLink link;
  private final Map<LetterAddress, Held> held = new HashMap<>();

  HeldLetters(BrokerLink link) {
    this.link = link;
  }

  /** Whether a letter is there and free, and held from now on. */
  boolean take(LetterAddress letter) throws ActiveMQException {
    if (held.containsKey(letter)) {
      return false;
    }
    ShardConsumer consumer = consumer(letter);
    if (consumer == null) {
      return false;
    }
    Received received = next(consumer);
    if (received == null) {
      consumer.close();
      return false;
    }
    held.put(letter, new Held(consumer, received));
    return true;
  }

  private @Nullable ShardConsumer consumer(LetterAddress letter) throws ActiveMQException {
    SimpleString queue = QueueNames.deadLetters(letter.topic(), letter.segment());
    try {
      return link.consume(queue, SimpleString.of(MessageCodec.PLACE + " = " + letter.place()));
    } catch (ActiveMQNonExistentQueueException e) {
      return null;
    }
  }

  private static @Nullable Received next(ShardConsumer consumer) throws ActiveMQException {
    for (int tries = 1; ; tries++) {
      Received received = consumer.next(true);
      if (received != null || tries == TRIES) {
        return received;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** A letter that is held. */
  Received of(LetterAddress letter) {
    Held one = held.get(letter);
    if (one == null) {
      throw new IllegalStateException("not held: " + letter);
    }
    return one.received();
  }

  /** Gives back all that were not acknowledged. */
  void giveBack() throws ActiveMQException {
    for (Held one : held.values()) {
      one.consumer().close();
    }
    held.clear();
  }
}
