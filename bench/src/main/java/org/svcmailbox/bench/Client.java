package org.svcmailbox.bench;

/** Somebody who sends to and receives from one queue. One thread. */
interface Client extends Sender {
  /**
   * Receives at most so many messages and acknowledges them in the same request or transaction.
   *
   * @return how many there were
   */
  int receive(int most) throws Exception;
}
