package org.svcmailbox.ejb.broker;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/** The queues of a broker, past the adapter and through the client. */
public final class QueueView {
  /** Work in a session that commits each step by itself. */
  public interface Work {
    void in(ClientSession session) throws ActiveMQException;
  }

  private final Supplier<BrokerAccess> access;

  QueueView(Supplier<BrokerAccess> access) {
    this.access = access;
  }

  BrokerConnections connections() {
    return new BrokerConnections(access.get());
  }

  void inSession(Work work) {
    try (BrokerConnections connections = connections();
        Connection connection = connections.open(false)) {
      work.in(connection.session());
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
  }

  private ClientSession.QueueQuery look(SimpleString queue) {
    try (BrokerConnections connections = connections();
        Connection connection = connections.open(false)) {
      return connection.session().queueQuery(queue);
    } catch (ActiveMQException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many messages a queue holds. */
  long count(SimpleString queue) {
    return look(queue).getMessageCount();
  }

  /** A topic's dead letters, browsed. */
  List<ObservedLetter> deadLetters(TopicName topic) {
    return IntStream.iterate(0, segment -> segment + 1)
        .mapToObj(segment -> QueueNames.deadLetters(topic, segment))
        .takeWhile(queue -> look(queue).isExists())
        .flatMap(queue -> browse(queue).stream())
        .map(QueueView::deadLetter)
        .toList();
  }

  /** The dead letters of one queue. */
  List<ObservedLetter> deadLettersOf(TopicName topic, int segment) {
    return browse(QueueNames.deadLetters(topic, segment)).stream()
        .map(QueueView::deadLetter)
        .toList();
  }

  private static ObservedLetter deadLetter(Received received) {
    ICoreMessage message = received.message();
    String reason = message.getStringProperty(MessageCodec.REASON);
    Quarantine why =
        new Quarantine(
            DeadLetterReason.valueOf(reason.toUpperCase(Locale.ROOT)),
            message.getIntProperty(MessageCodec.ATTEMPT),
            message.getStringProperty(MessageCodec.LAST_ERROR));
    Instant expiresAt = Instant.ofEpochMilli(message.getExpiration());
    return new ObservedLetter(readable(received), why, expiresAt);
  }

  private static @Nullable StoredMessage readable(Received received) {
    try {
      return MessageCodec.decode(received);
    } catch (UnreadableMessageException e) {
      return null;
    }
  }

  /**
   * Everything in a queue that is not delivering, left where it is. While the broker pages, it ends
   * a browse early or shows a message twice at times, and is asked again.
   */
  List<Received> browse(SimpleString queue) {
    List<Received> found = browseOnce(queue);
    Instant deadline = Instant.now().plusSeconds(20);
    while (found.size() != count(queue) && Instant.now().isBefore(deadline)) {
      found = browseOnce(queue);
    }
    return found;
  }

  private List<Received> browseOnce(SimpleString queue) {
    List<Received> found = new ArrayList<>();
    inSession(
        session -> {
          try (ClientConsumer browser = session.createConsumer(queue, null, -1, -1, true)) {
            for (ClientMessage next = browser.receiveImmediate();
                next != null;
                next = browser.receiveImmediate()) {
              found.add(Received.of(next));
            }
          }
        });
    return found;
  }

  /** Sends something that is no message of this service. */
  void plant(SimpleString queue, int count) {
    inSession(
        session -> {
          try (ClientProducer producer = session.createProducer(queue)) {
            for (int i = 0; i < count; i++) {
              ClientMessage garbage = session.createMessage(true);
              garbage.putStringProperty("someone", "else");
              garbage.getBodyBuffer().writeBytes("garbage".getBytes(StandardCharsets.UTF_8));
              producer.send(garbage);
            }
          }
        });
  }
}
