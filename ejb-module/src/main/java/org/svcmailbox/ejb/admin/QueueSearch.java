package org.svcmailbox.ejb.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.ListedMessage;

/** Finds messages by a text property, without taking them. */
public final class QueueSearch {
  /** The longest queue that is browsed, because the queue serves nobody meanwhile. */
  static final int MOST_BROWSED = 20_000;

  /** The largest: beyond it the broker keeps the rest on disk. */
  static final long MOST_BYTES = 256L << 20;

  private final BrokerAdmin broker;

  QueueSearch(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Whether a queue is so short that {@link #ready} may look through it. */
  public boolean isShort(SimpleString queue, long messages) {
    return isShort(messages, 0) && isShort(messages, broker.queues().bytes(queue));
  }

  static boolean isShort(long messages, long bytes) {
    return messages <= MOST_BROWSED && bytes <= MOST_BYTES;
  }

  /** The first ready message whose property has this value, which has no quotes. */
  public Optional<ICoreMessage> ready(SimpleString queue, SimpleString property, String value) {
    SimpleString filter = SimpleString.of(property + " = '" + value + "'");
    return broker.ask(
        "search " + queue,
        session ->
            session.queueQuery(queue).isExists()
                ? browse(session, queue, filter)
                : Optional.empty());
  }

  private static Optional<ICoreMessage> browse(
      ClientSession session, SimpleString queue, SimpleString filter) throws ActiveMQException {
    try (ClientConsumer browser = session.createConsumer(queue, filter, true)) {
      return Optional.ofNullable(browser.receiveImmediate()).map(message -> (ICoreMessage) message);
    }
  }

  /**
   * The messages of a queue that were delivered and have not ended.
   *
   * @throws UnavailableException also if a broker in another process has too many to list
   */
  public Stream<ICoreMessage> delivered(SimpleString queue) {
    return broker.look(queue, QueueSearch::delivered).orElseGet(() -> listed(queue));
  }

  private static Stream<ICoreMessage> delivered(@Nullable Queue queue) {
    Map<String, List<MessageReference>> held =
        queue == null ? Map.of() : queue.getDeliveringMessages();
    return held.values().stream()
        .flatMap(List::stream)
        .map(reference -> reference.getMessage().toCore());
  }

  private Stream<ICoreMessage> listed(SimpleString queue) {
    long count = broker.attributes().number(queue, "DeliveringCount");
    if (count > ScheduledMessages.MOST_LISTED) {
      throw new UnavailableException(
          "a broker in another process lists up to "
              + ScheduledMessages.MOST_LISTED
              + " delivered messages");
    }
    return count == 0 ? Stream.of() : list(queue);
  }

  private Stream<ICoreMessage> list(SimpleString queue) {
    return broker.ask(
        "list the delivered messages of " + queue,
        session ->
            JsonUtil.readJsonArray(
                    String.valueOf(
                        broker.manage(ResourceNames.QUEUE + queue, "listDeliveringMessagesAsJSON")))
                .stream()
                .flatMap(consumer -> consumer.asJsonObject().getJsonArray("elements").stream())
                .map(each -> ListedMessage.of(each.asJsonObject())));
  }
}
