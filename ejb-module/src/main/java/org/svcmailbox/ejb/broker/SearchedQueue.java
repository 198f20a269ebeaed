package org.svcmailbox.ejb.broker;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Broker.Searched;
import org.svcmailbox.core.broker.QueuedMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.link.BrokerClock;

/**
 * The search for one message in a queue. It looks at scheduled messages before ready ones, and at
 * those before delivered ones, because a message moves in this order.
 */
final class SearchedQueue {
  private final BrokerAdmin broker;
  private final SimpleString queue;
  private final BrokerClock clock;
  private boolean isWhole = true;

  SearchedQueue(BrokerAdmin broker, SimpleString queue, BrokerClock clock) {
    this.broker = broker;
    this.queue = queue;
    this.clock = clock;
  }

  Searched search(MsgId msgId) {
    long messages = broker.queues().countMessages(queue);
    ICoreMessage found = messages == 0 ? null : find(msgId.toString(), messages);
    return new Searched(found == null ? null : queued(found), isWhole);
  }

  private @Nullable ICoreMessage find(String msgId, long messages) {
    return first(msgId, () -> broker.scheduled().list(queue))
        .or(() -> ready(msgId, messages))
        .or(() -> first(msgId, () -> broker.search().delivered(queue)))
        .orElse(null);
  }

  private Optional<ICoreMessage> ready(String msgId, long messages) {
    if (!broker.search().isShort(queue, messages)) {
      isWhole = false;
      return Optional.empty();
    }
    return broker.search().ready(queue, MessageCodec.MSG_ID, msgId);
  }

  /** A list that is too long for the broker hides the message; the other places may show it. */
  private Optional<ICoreMessage> first(String msgId, Supplier<Stream<ICoreMessage>> list) {
    try {
      return list.get()
          .filter(message -> msgId.equals(MessageCodec.text(message, MessageCodec.MSG_ID)))
          .findFirst();
    } catch (UnavailableException e) {
      isWhole = false;
      return Optional.empty();
    }
  }

  private QueuedMessage queued(ICoreMessage message) {
    Instant due = clock.onOurs(message.getScheduledDeliveryTime());
    boolean isScheduled = due.isAfter(clock.now());
    Instant since = isScheduled ? due : Instant.ofEpochMilli(message.getTimestamp());
    Envelope envelope = null;
    MessageHistory history = MessageHistory.NONE;
    try {
      envelope = MessageCodec.envelope(message);
      history = MessageCodec.history(message);
    } catch (UnreadableMessageException e) {
      // Its place is known even so.
    }
    return new QueuedMessage(
        envelope, since, isScheduled, MessageCodec.lastError(message), history);
  }
}
