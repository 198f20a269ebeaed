package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.ejb.admin.QueueNames;

/** One of a topic's queues of dead letters. */
public final class LetterSegment {
  private final SimpleString queue;
  private final int number;
  private final AtomicInteger users = new AtomicInteger();
  private @Nullable Instant emptySince;

  LetterSegment(TopicName topic, int number) {
    this.queue = QueueNames.deadLetters(topic, number);
    this.number = number;
  }

  public SimpleString queue() {
    return queue;
  }

  /** From 0. */
  int number() {
    return number;
  }

  /** Counts a transaction that is going to add a letter. */
  void enter() {
    users.incrementAndGet();
  }

  /** Ends such a transaction. */
  void leave() {
    users.decrementAndGet();
  }

  boolean isUsed() {
    return users.get() > 0;
  }

  /**
   * Records whether the queue is empty now. {@link TopicSegments} calls it under its lock.
   *
   * @return how long every call has found the queue empty; zero if it is not
   */
  Duration emptyFor(boolean isEmpty, Instant now) {
    if (!isEmpty) {
      emptySince = null;
      return Duration.ZERO;
    }
    if (emptySince == null) {
      emptySince = now;
    }
    return Duration.between(emptySince, now);
  }
}
