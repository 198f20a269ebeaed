package org.svcmailbox.core.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;

/**
 * Administers a topic's messages. Calls block; each throws {@code DeniedException} without the
 * right, {@code NotFoundException} for a missing topic, shard or message, and {@code
 * UnavailableException} when the broker is away.
 */
public interface TopicContents {
  int MAX_PEEKED = 100;

  /**
   * The next messages that a RECV could take, by shard and in order. Reads about a mebibyte of
   * payload, and at least one message, from each shard. Needs {@code peek}.
   */
  List<StoredMessage> peek(Caller caller, TopicName topic, @Nullable Integer shard, int limit);

  int MAX_SCHEDULED = 100;

  /** Delayed SENDs and redeliveries, soonest first; {@code next} is null on the last page. */
  record ScheduledPage(List<ScheduledMessage> messages, ScheduledMessage.@Nullable Position next) {}

  /**
   * Messages that are not yet due, after {@code after}. Needs {@code peek}, and a broker in this
   * process.
   */
  ScheduledPage scheduled(
      Caller caller, TopicName topic, ScheduledMessage.Position after, int limit);

  /**
   * Removes a message that is not yet due; on return no consumer can receive it. Its key stays
   * reserved, and its ledger entry stays. Needs {@code admin}, and a broker in this process.
   */
  void cancelScheduled(Caller caller, TopicName topic, MsgId msgId);

  /**
   * Removes all ready and delayed messages, and returns how many. Leased messages and dead letters
   * stay; concurrent SENDs may be removed or stay. A failure may leave it half done. Needs {@code
   * admin}.
   */
  long purge(Caller caller, TopicName topic);
}
