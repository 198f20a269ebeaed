package org.svcmailbox.outbox.inbox;

import java.util.List;

/**
 * A topic that delivers events. Holds fetched messages until they are settled, and extends their
 * leases for as long as a handler may take. Thread-safe.
 */
public interface EventConsumer {
  /**
   * Fetches messages, waiting a while for the first.
   *
   * @param batch the most, at least 1
   * @return possibly none
   * @throws TopicSaturatedException if consumers already hold as many messages as the topic permits
   * @throws ConsumerException if the service is away or refuses
   * @throws InterruptedException if the thread is interrupted
   */
  List<Delivery> fetch(int batch) throws InterruptedException;

  /**
   * Whether a message is still held. If its lease ran out while this process was suspended, another
   * consumer may handle it: skip it, and it will be delivered again.
   */
  default boolean holds(Delivery message) {
    return true;
  }

  /**
   * Deletes a handled message.
   *
   * @throws ConsumerException if the outcome is unknown; the message may be delivered again
   */
  void ack(Delivery message);

  /**
   * Gives a message back.
   *
   * @throws ConsumerException if the outcome is unknown; the message is delivered again when its
   *     lease ends
   */
  void nak(Refused message);
}
