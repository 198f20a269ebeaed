package org.svcmailbox.core.delivery;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/** Says when a topic has messages, without leasing one. Never blocks; any thread. */
public interface ReadyService {
  /**
   * Watches a topic of which this process may have shards.
   *
   * @param shard null for all of them
   * @param then runs once, as soon as a RECV may find a message, or if it would be refused; perhaps
   *     within this call
   */
  Watch whenReady(TopicName topic, @Nullable Integer shard, Runnable then);

  /** A topic that is being watched. */
  interface Watch {
    /** Ends it. Idempotent. */
    void cancel();
  }
}
