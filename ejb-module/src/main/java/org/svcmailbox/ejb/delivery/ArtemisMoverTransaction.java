package org.svcmailbox.ejb.delivery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.StoredMessage;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;

/** Some letters in hand, on a session that is theirs. */
final class ArtemisMoverTransaction implements LetterMover.Transaction {
  private final Connection connection;
  private final PageFolders pageFolders;
  private final Set<SimpleString> sentTo = new HashSet<>();
  private final Map<Place, Received> taken;
  private final Map<Place, LetterContent> letters = new HashMap<>();
  private final BrokerClock clock;
  private @Nullable ClientProducer producer;

  /**
   * @param connection its own from now on
   * @param taken what was received on it
   */
  ArtemisMoverTransaction(
      Connection connection,
      PageFolders pageFolders,
      Map<Place, Received> taken,
      TopicName topic,
      int segment,
      BrokerClock clock) {
    this.connection = connection;
    this.pageFolders = pageFolders;
    this.taken = taken;
    this.clock = clock;
    taken.forEach(
        (place, received) -> letters.put(place, LetterCodec.content(received, topic, segment)));
  }

  @Override
  public Map<Place, LetterContent> letters() {
    return letters;
  }

  @Override
  public void discard(Place place) {
    run(() -> received(place).acknowledgement().stage());
  }

  @Override
  public void bringBack(Place place, ShardId shard, StoredMessage message) {
    run(
        () -> {
          CoreMessage encoded = MessageCodec.encode(message, clock.now());
          clock.translateExpiration(encoded);
          sentTo.add(QueueNames.of(shard));
          producer().send(QueueNames.of(shard), encoded);
          received(place).acknowledgement().stage();
        });
  }

  private Received received(Place place) {
    Received received = taken.get(place);
    if (received == null) {
      throw new IllegalStateException("not taken: " + place);
    }
    return received;
  }

  private ClientProducer producer() throws ActiveMQException {
    ClientProducer open = producer;
    if (open == null) {
      open = connection.session().createProducer((SimpleString) null);
      producer = open;
    }
    return open;
  }

  @Override
  public void commit() {
    run(
        () -> {
          connection.session().commit();
          pageFolders.sync(sentTo);
        });
  }

  @Override
  public void close() {
    connection.close();
  }

  private interface Step {
    void run() throws ActiveMQException;
  }

  private static void run(Step step) {
    try {
      step.run();
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to move dead letters", e);
    }
  }
}
