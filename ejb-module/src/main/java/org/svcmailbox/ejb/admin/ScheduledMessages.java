package org.svcmailbox.ejb.admin;

import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.ListedMessage;

/** Scheduled messages in queues. */
public final class ScheduledMessages {
  /** The largest list requested from a broker in another process. */
  static final int MOST_LISTED = 2_000;

  /** Also matches messages that have become due and were not taken since. */
  private static final String SCHEDULED = Message.HDR_SCHEDULED_DELIVERY_TIME + " IS NOT NULL";

  private final BrokerAdmin broker;

  ScheduledMessages(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Removes a queue's scheduled messages; returns how many. */
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

  /**
   * Removes one message by the broker's number; returns whether it was there and held by no
   * session.
   */
  public boolean remove(SimpleString queue, long number) {
    return broker.ask(
        "remove a message of " + queue,
        session ->
            Boolean.TRUE.equals(
                broker.manage(ResourceNames.QUEUE + queue, "removeMessage", number)));
  }

  /**
   * The scheduled messages of a queue, soonest first; empty without the queue. A broker in another
   * process lists them without paging, so long lists are refused.
   */
  public Stream<ICoreMessage> list(SimpleString queue) {
    return broker.look(queue, ScheduledMessages::scheduled).orElseGet(() -> listed(queue));
  }

  private static Stream<ICoreMessage> scheduled(@Nullable Queue queue) {
    return queue == null
        ? Stream.of()
        : queue.getScheduledMessages().stream().map(each -> each.getMessage().toCore());
  }

  private Stream<ICoreMessage> listed(SimpleString queue) {
    return broker.ask(
        "list the scheduled messages of " + queue,
        session -> session.queueQuery(queue).isExists() ? listed(queue.toString()) : Stream.of());
  }

  private Stream<ICoreMessage> listed(String queue) throws Exception {
    if (!broker.attributes().tellsWholeAttributes(queue)) {
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

  /** Makes all scheduled messages of a queue ready; no error if the queue is missing. */
  public void deliverAll(SimpleString queue) {
    broker.perform(
        "deliver the delayed messages of " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            broker.manage(ResourceNames.QUEUE + queue, "deliverScheduledMessages", "");
          }
        });
  }
}
