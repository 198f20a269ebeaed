package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerLink;
import org.svcmailbox.ejb.link.ShardConsumer;

/**
 * The dead letters that a worker's session redrives as new messages, each on its own consumer.
 * Owned by the worker's thread.
 */
public final class HeldLetters {
  /** Repeated, because the broker may first have to read the letter from a page. */
  private static final int TRIES = 10;

  private static final Duration PAUSE = Duration.ofMillis(5);

  private record Held(ShardConsumer consumer, Received received) {}

  private final BrokerLink link;
  private final Map<LetterAddress, Held> held = new HashMap<>();

  public HeldLetters(BrokerLink link) {
    this.link = link;
  }

  /** Takes a letter; returns whether it was there and free. */
  public boolean take(LetterAddress letter) throws ActiveMQException {
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
      return link.consume(
          queue, SimpleString.of(MessageCodec.POSITION + " = " + letter.position()));
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

  public Received of(LetterAddress letter) {
    Held one = held.get(letter);
    if (one == null) {
      throw new IllegalStateException("not held: " + letter);
    }
    return one.received();
  }

  /** Returns all unacknowledged letters to their queues. */
  public void giveBack() throws ActiveMQException {
    for (Held one : held.values()) {
      one.consumer().close();
    }
    held.clear();
  }
}
