package org.svcmailbox.core.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/**
 * What operators can do with the messages of a topic. Calls block; each throws {@code
 * DeniedException} without the right, {@code NotFoundException} when there is no such topic or
 * shard, and {@code UnavailableException} when the broker is away.
 */
public interface TopicContents {
  /** The most messages of one peek. */
  int MAX_PEEKED = 100;

  /**
   * The first messages that a RECV could take, by shard and then in their order; nothing is changed
   * by looking. May be fewer than there are when they are large: of each shard about a mebibyte of
   * payload is looked at, and at least one message. Needs the right to {@code peek}.
   *
   * @param shard of this one only, unless it is null
   * @param limit at most so many, 1 to {@link #MAX_PEEKED}
   */
  List<StoredMessage> peek(Caller caller, TopicName topic, @Nullable Integer shard, int limit);

  /**
   * Removes every message that is ready or delayed, for good, and leaves those under a lease and
   * the dead letters. What is sent meanwhile may go or stay. What was removed before a failure is
   * gone. Needs the right to {@code admin}.
   *
   * @return how many
   */
  long purge(Caller caller, TopicName topic);
}
