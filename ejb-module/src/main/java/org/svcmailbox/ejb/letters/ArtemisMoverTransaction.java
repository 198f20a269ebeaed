package org.svcmailbox.ejb.letters;

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
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.LetterCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.Connection;

/** Letters taken on a session of their own. */
final class ArtemisMoverTransaction implements LetterMover.Transaction {
  private final Connection connection;
  private final NamesOnDisk names;
  private final Set<SimpleString> sentTo = new HashSet<>();
  private final Map<LetterPosition, Received> taken;
  private final Map<LetterPosition, LetterContent> letters = new HashMap<>();
  private final BrokerClock clock;
  private @Nullable ClientProducer producer;

  /**
   * @param connection closed by this transaction
   * @param taken received on that connection
   */
  ArtemisMoverTransaction(
      Connection connection,
      NamesOnDisk names,
      Map<LetterPosition, Received> taken,
      TopicName topic,
      int segment,
      BrokerClock clock) {
    this.connection = connection;
    this.names = names;
    this.taken = taken;
    this.clock = clock;
    taken.forEach(
        (position, received) ->
            letters.put(position, LetterCodec.content(received, topic, segment)));
  }

  @Override
  public Map<LetterPosition, LetterContent> letters() {
    return letters;
  }

  @Override
  public void discard(LetterPosition position) {
    run(() -> received(position).acknowledgement().stage());
  }

  @Override
  public void redrive(LetterPosition position, ShardId shard, StoredMessage message) {
    run(
        () -> {
          CoreMessage encoded = MessageCodec.encode(message, clock.now());
          clock.translateExpiration(encoded);
          sentTo.add(QueueNames.of(shard));
          producer().send(QueueNames.of(shard), encoded);
          received(position).acknowledgement().stage();
        });
  }

  private Received received(LetterPosition position) {
    Received received = taken.get(position);
    if (received == null) {
      throw new IllegalStateException("not taken: " + position);
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
          names.sync(sentTo);
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
