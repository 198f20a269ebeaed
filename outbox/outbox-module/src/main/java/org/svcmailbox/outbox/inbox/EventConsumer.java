package org.svcmailbox.outbox.inbox;

import java.util.List;

/**
 * A topic that events come from. Holds what it has fetched until that is settled, and keeps it for
 * as long as a handler may take. Thread-safe.
 */
public interface EventConsumer {
  /**
   * Fetches messages, waiting a while for the first.
   *
   * @param batch the most, at least 1
   * @return possibly none
   * @throws TopicSaturatedException if others hold as many messages as the topic permits
   * @throws ConsumerException if the service is away or refuses
   * @throws InterruptedException if the thread is interrupted
   */
  List<Delivery> fetch(int batch) throws InterruptedException;

  /**
   * Whether a message is still held. One whose lease ran out, in a process that stood still, may be
   * handled elsewhere by now: it is left alone, and comes again.
   */
  default boolean holds(Delivery message) {
    return true;
  }

  /**
   * Deletes a message, for it is done.
   *
   * @throws ConsumerException if that is not sure; the message may come again
   */
  void ack(Delivery message);

  /**
   * Gives a message back.
   *
   * @throws ConsumerException if that is not sure; it comes again when its lease ends
   */
  void nak(Refused message);
}
