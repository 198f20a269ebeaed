package org.svcmailbox.ejb.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.svcmailbox.core.envelope.TopicName;

/** One of the queues that a topic's dead letters are in, as {@link LetterSegments} knows it. */
final class LetterSegment {
  private final SimpleString queue;
  private final int number;
  private final AtomicInteger users = new AtomicInteger();

  LetterSegment(TopicName topic, int number) {
    this.queue = QueueNames.deadLetters(topic, number);
    this.number = number;
  }

  /** Where its letters are. */
  SimpleString queue() {
    return queue;
  }

  /** Its place among its topic's, from 0. */
  int number() {
    return number;
  }

  /** Somebody's transaction is about to put something in. */
  void enter() {
    users.incrementAndGet();
  }

  /** That transaction is over. */
  void leave() {
    users.decrementAndGet();
  }

  boolean isUsed() {
    return users.get() > 0;
  }
}
