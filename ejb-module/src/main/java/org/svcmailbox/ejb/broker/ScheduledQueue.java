package org.svcmailbox.ejb.broker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.link.BrokerClock;

/**
 * The scheduled messages of a queue, where the broker is in this process. Its management has no
 * pages of them, and tells of all at once.
 *
 * <p>Messages that are still in page files are not among them: the broker schedules a message when
 * it has read it back.
 */
record ScheduledQueue(Queue queue, BrokerClock clock) {
  private static final Logger LOG = System.getLogger(ScheduledQueue.class.getName());

  /** The first messages behind a position, in order. */
  List<ScheduledMessage> page(Position after, int most) {
    TreeSet<ScheduledMessage> first = new TreeSet<>(ScheduledMessage.ORDER);
    // The broker has them in the order of their times, but those of one time in any.
    for (MessageReference reference : queue.getScheduledMessages()) {
      Instant due = due(reference);
      if (due.isBefore(after.due())) {
        continue;
      }
      if (first.size() == most && due.isAfter(first.last().due())) {
        break;
      }
      add(first, reference, due, after, most);
    }
    return List.copyOf(first);
  }

  private static void add(
      TreeSet<ScheduledMessage> first,
      MessageReference reference,
      Instant due,
      Position after,
      int most) {
    try {
      ICoreMessage message = reference.getMessage().toCore();
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
      LOG.log(Level.DEBUG, "A scheduled message is none of ours: {0}", e.why());
    }
  }

  /** The broker's own number of a message whose time has not come. */
  OptionalLong find(MsgId msgId) {
    String wanted = msgId.toString();
    return queue.getScheduledMessages().stream()
        .filter(reference -> due(reference).isAfter(clock.now()))
        .filter(reference -> wanted.equals(id(reference)))
        .mapToLong(MessageReference::getMessageID)
        .findFirst();
  }

  private static String id(MessageReference reference) {
    return String.valueOf(reference.getMessage().getObjectProperty(MessageCodec.MSG_ID));
  }

  private Instant due(MessageReference reference) {
    return clock.onOurs(reference.getScheduledDeliveryTime());
  }
}
