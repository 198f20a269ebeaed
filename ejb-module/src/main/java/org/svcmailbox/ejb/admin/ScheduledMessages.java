package org.svcmailbox.ejb.admin;

import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.ListedMessage;

/** Messages of queues that wait for their time. */
public final class ScheduledMessages {
  /** The most of a queue that the management of a broker in another process is asked to list. */
  static final int MOST_LISTED = 2_000;

  /** Also those whose time has come and that nobody took since. */
  private static final String SCHEDULED = Message.HDR_SCHEDULED_DELIVERY_TIME + " IS NOT NULL";

  private final BrokerAdmin broker;

  ScheduledMessages(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Removes the messages of a queue whose time has not come; answers how many. */
  public long removeAll(SimpleString queue) {
    return broker.askForLong(
        "remove the scheduled messages of " + queue,
        session -> {
          Object removed =
              session.queueQuery(queue).isExists()
                  ? broker.manage(ResourceNames.QUEUE + queue, "removeMessages", SCHEDULED)
                  : null;
          return removed instanceof Number count ? count.longValue() : 0L;
        });
  }

  /** Removes one message that no session has, by the broker's number; answers whether it was so. */
  public boolean remove(SimpleString queue, long number) {
    return broker.ask(
        "remove a message of " + queue,
        session ->
            Boolean.TRUE.equals(
                broker.manage(ResourceNames.QUEUE + queue, "removeMessage", number)));
  }

  /**
   * The messages of a queue that wait for their time, soonest first; none without the queue. The
   * management of a broker in another process has no pages of them, so it is asked for few only.
   */
  public Stream<ICoreMessage> list(SimpleString queue) {
    return broker.ask(
        "list the scheduled messages of " + queue,
        session -> {
          ActiveMQServer here = broker.here();
          if (here == null) {
            return session.queueQuery(queue).isExists() ? listed(queue) : Stream.of();
          }
          Queue found = here.locateQueue(queue);
          return found == null
              ? Stream.of()
              : found.getScheduledMessages().stream()
                  .map(reference -> reference.getMessage().toCore());
        });
  }

  private Stream<ICoreMessage> listed(SimpleString queue) throws Exception {
    if (!broker.attributes().tellsWholeAttributes(queue.toString())) {
      throw new UnavailableException(
          "the broker cannot list scheduled messages: set management-message-attribute-size-limit"
              + " for mailbox.# to -1");
    }
    String resource = ResourceNames.QUEUE + queue;
    if (broker.attribute(resource, "ScheduledCount") instanceof Number count
        && count.longValue() > MOST_LISTED) {
      throw new UnavailableException(
          "a broker in another process lists up to " + MOST_LISTED + " scheduled messages");
    }
    String answer = String.valueOf(broker.manage(resource, "listScheduledMessagesAsJSON"));
    return JsonUtil.readJsonArray(answer).stream()
        .map(each -> ListedMessage.of(each.asJsonObject()));
  }

  /** Makes everything ready in a queue that waits for its time; nothing if it is gone. */
  public void deliverAll(SimpleString queue) {
    broker.perform(
        "deliver what is delayed in " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            broker.manage(ResourceNames.QUEUE + queue, "deliverScheduledMessages", "");
          }
        });
  }
}
