package org.svcmailbox.ejb.broker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.link.BrokerClock;

/**
 * The scheduled messages of a queue, soonest first.
 *
 * <p>Messages in page files are missing, because the broker schedules a message only when it has
 * read it back.
 */
record ScheduledQueue(Stream<ICoreMessage> messages, BrokerClock clock) {
  private static final Logger LOG = System.getLogger(ScheduledQueue.class.getName());

  /** The first messages after a position, in order. */
  List<ScheduledMessage> page(Position after, int most) {
    TreeSet<ScheduledMessage> first = new TreeSet<>(ScheduledMessage.ORDER);
    // The broker sorts by due time only, so messages due at the same time come in any order.
    for (ICoreMessage message : (Iterable<ICoreMessage>) messages::iterator) {
      Instant due = due(message);
      if (due.isBefore(after.due())) {
        continue;
      }
      if (first.size() == most && due.isAfter(first.last().due())) {
        break;
      }
      add(first, message, due, after, most);
    }
    return List.copyOf(first);
  }

  private static void add(
      TreeSet<ScheduledMessage> first,
      ICoreMessage message,
      Instant due,
      Position after,
      int most) {
    try {
      ScheduledMessage found =
          new ScheduledMessage(
              MessageCodec.envelope(message), due, MessageCodec.lastError(message));
      if (found.position().compareTo(after) > 0) {
        first.add(found);
      }
      if (first.size() > most) {
        first.pollLast();
      }
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "A scheduled message is not from this service: {0}", e.why());
    }
  }

  /** The broker's number of a message that is not yet due; empty if there is none. */
  OptionalLong find(MsgId msgId) {
    String wanted = msgId.toString();
    return messages
        .filter(message -> due(message).isAfter(clock.now()))
        .filter(message -> wanted.equals(id(message)))
        .mapToLong(ICoreMessage::getMessageID)
        .findFirst();
  }

  private static String id(ICoreMessage message) {
    return String.valueOf(message.getObjectProperty(MessageCodec.MSG_ID));
  }

  private Instant due(ICoreMessage message) {
    return clock.onOurs(message.getScheduledDeliveryTime());
  }
}
