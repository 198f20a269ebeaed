package org.svcmailbox.core.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.MsgId;
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

  /** The most messages of one page of scheduled ones. */
  int MAX_SCHEDULED = 100;

  /**
   * Some messages whose time has not come: delayed SENDs, and those that come back after a delay.
   *
   * @param messages soonest first
   * @param next behind which the next page begins; null behind the last
   */
  record ScheduledPage(List<ScheduledMessage> messages, ScheduledMessage.@Nullable Position next) {}

  /**
   * The messages behind {@code after} whose time has not come. Needs the right to {@code peek}.
   *
   * @param limit at most so many, 1 to {@link #MAX_SCHEDULED}
   * @throws org.svcmailbox.core.problem.UnavailableException also when the broker is in another
   *     process
   */
  ScheduledPage scheduled(
      Caller caller, TopicName topic, ScheduledMessage.Position after, int limit);

  /**
   * Removes a message whose time has not come, for good: on return nobody will ever receive it. Its
   * key stays taken and its ledger entry stays. Needs the right to {@code admin}.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException also when no such message waits for its
   *     time
   * @throws org.svcmailbox.core.problem.UnavailableException as above; it may be gone then
   */
  void cancelScheduled(Caller caller, TopicName topic, MsgId msgId);

  /**
   * Removes every message that is ready or delayed, for good, and leaves those under a lease and
   * the dead letters. What is sent meanwhile may go or stay. What was removed before a failure is
   * gone. Needs the right to {@code admin}.
   *
   * @return how many
   */
  long purge(Caller caller, TopicName topic);
}
