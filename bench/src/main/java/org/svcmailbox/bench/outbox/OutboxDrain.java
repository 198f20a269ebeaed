package org.svcmailbox.bench.outbox;

/** A way to empty an outbox. */
interface OutboxDrain {
  /** Fills the outbox; this is not timed. */
  void fill(int events) throws Exception;

  /** Publishes all events and returns events a second. */
  double drain(int events) throws Exception;
}
