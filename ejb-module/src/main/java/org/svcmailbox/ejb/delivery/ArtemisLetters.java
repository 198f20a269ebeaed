package org.svcmailbox.ejb.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/** The queues of dead letters, looked into without taking anything. */
final class ArtemisLetters implements LetterQueues {
  private final BrokerConnections connections;
  private final LetterSegments segments;
  private final BrokerAdmin admin;

  ArtemisLetters(BrokerConnections connections, LetterSegments segments, BrokerAdmin admin) {
    this.connections = connections;
    this.segments = segments;
    this.admin = admin;
  }

  @Override
  public Map<TopicName, Map<Integer, Long>> counts() {
    return new FilledQueues(admin).readLetters();
  }

  @Override
  public List<DeadLetter> browse(TopicName topic, int segment) {
    List<DeadLetter> found = new ArrayList<>();
    browse(
        topic,
        segment,
        null,
        received -> {
          found.add(LetterCodec.decode(received.message(), received.body().length, topic, segment));
          return true;
        });
    return found;
  }

  @Override
  public Optional<LetterContent> read(DeadLetter letter) {
    List<LetterContent> found = new ArrayList<>();
    Look look =
        received -> {
          LetterContent content = LetterCodec.content(received, letter.topic(), letter.segment());
          if (content.letter().place().equals(letter.place())) {
            found.add(content);
          }
          return found.isEmpty();
        };
    browse(
        letter.topic(), letter.segment(), MessageCodec.PLACE + " = " + letter.place().bits(), look);
    if (found.isEmpty()) {
      // It may be none of ours, and have no place that the broker knows.
      browse(letter.topic(), letter.segment(), null, look);
    }
    return found.stream().findFirst();
  }

  /** Answers whether to go on. */
  private interface Look {
    boolean at(Received letter);
  }

  private void browse(TopicName topic, int segment, @Nullable String filter, Look look) {
    SimpleString queue = segments.queue(topic, segment);
    if (queue == null) {
      return;
    }
    try (Connection connection = connections.open(false)) {
      if (connection.session().queueQuery(queue).isExists()) {
        browse(connection.session(), queue, filter, look);
      }
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to show dead letters", e);
    }
  }

  private static void browse(
      ClientSession session, SimpleString queue, @Nullable String filter, Look look)
      throws ActiveMQException {
    SimpleString wanted = filter == null ? null : SimpleString.of(filter);
    try (ClientConsumer browser =
        session.createConsumer(queue, wanted, LetterSegments.WHOLE, -1, true)) {
      ClientMessage next = browser.receiveImmediate();
      while (next != null && look.at(Received.of(next))) {
        next = browser.receiveImmediate();
      }
    }
  }
}
