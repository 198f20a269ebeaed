package org.svcmailbox.bench;

/** One way to get rows out of an outbox. */
interface OutboxDrain {
  /** Fills the outbox, which takes no part in the time. */
  void fill(int events) throws Exception;

  /**
   * Publishes what is there.
   *
   * @return events a second
   */
  double drain(int events) throws Exception;
}
