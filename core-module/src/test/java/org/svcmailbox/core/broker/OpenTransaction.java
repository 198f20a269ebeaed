package org.svcmailbox.core.broker;

import java.util.stream.Stream;

/** An unfinished transaction of {@link InMemoryBroker}, which guards it. */
interface OpenTransaction {
  /** Does everything that was staged. */
  void commit();

  /** Whether it appends to a worker's batch log. */
  boolean hasBatch();

  /** Takes the messages that it ends away from its session, which does not know the outcome. */
  void detach();

  /** Gives back what {@link #detach} took. */
  void rollBack();

  /** The messages that {@link #detach} took. */
  Stream<InMemoryQueue.Held> detached();
}
