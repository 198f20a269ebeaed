package org.svcmailbox.bench.load;

/** A client that sends to and receives from one queue. One thread. */
public interface QueueClient extends Sender {
  /**
   * Receives up to {@code most} messages and acknowledges them in the same request or transaction.
   *
   * @return the number received
   */
  int receive(int most) throws Exception;
}
