package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.apache.activemq.artemis.core.client.impl.ClientSessionInternal;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;

/**
 * The link through Artemis' client, to a broker in any process.
 *
 * <p>Calls that block: {@link #commit}, for the disk; a certain {@link ShardConsumer#next}, the
 * first use of a shard, giving back and closing, for one round trip. When a broker in another
 * process falls silent, the client's failure check notices, and every blocked call throws.
 */
final class ClientLink implements BrokerLink {
  private static final Logger LOG = System.getLogger(ClientLink.class.getName());

  /**
   * How long a queue is assumed to exist, because asking before each batch would cost a round trip.
   */
  private static final long BELIEVED = Duration.ofSeconds(1).toNanos();

  private final Connection connection;
  private final ClientSessionInternal session;
  private final ClientProducer producer;
  private final FlowBarrier barrier;
  private final BrokerState state;
  private final Set<SimpleString> there = new HashSet<>();
  private long askedSince = System.nanoTime();

  /**
   * @param anyQueue one that exists as long as the link
   */
  ClientLink(Connection connection, SimpleString anyQueue, BrokerState state)
      throws ActiveMQException {
    this.connection = connection;
    this.state = state;
    this.session = (ClientSessionInternal) connection.session();
    producer = session.createProducer();
    barrier = new FlowBarrier(session, anyQueue);
  }

  @Override
  public long countMessages(SimpleString queue) throws ActiveMQException {
    return state.asking(() -> session.queueQuery(queue)).getMessageCount();
  }

  @Override
  public boolean hasQueue(SimpleString queue) throws ActiveMQException {
    long now = System.nanoTime();
    if (now - askedSince >= BELIEVED) {
      askedSince = now;
      there.clear();
    }
    if (!there.contains(queue) && state.asking(() -> session.queueQuery(queue)).isExists()) {
      there.add(queue);
    }
    return there.contains(queue);
  }

  @Override
  public void send(SimpleString queue, CoreMessage message) throws ActiveMQException {
    producer.send(queue, message);
  }

  @Override
  public void commit() throws ActiveMQException {
    state.asking(
        () -> {
          session.commit();
          return true;
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>A commit of nothing is one round trip and writes nothing to the broker's journal. It fails
   * from when the broker begins to end the session, because that has rolled the transaction back.
   */
  @Override
  public void ask() throws ActiveMQException {
    commit();
  }

  @Override
  public ShardConsumer consume(SimpleString queue, @Nullable SimpleString filter)
      throws ActiveMQException {
    return new ClientShardConsumer(
        (ClientConsumerInternal) session.createConsumer(queue, filter), barrier);
  }

  @Override
  public void onLoss(Runnable lost) {
    session.addFailureListener(new LossListener(why -> lost.run()));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The broker does all of that in one call, and returns all messages before it releases any
   * queue. Artemis' client would first close each consumer in a call of its own, in no order.
   */
  @Override
  public void close() {
    try {
      endSession();
    } catch (ActiveMQException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the broker did not end a session in good order", e);
    }
    connection.close();
  }

  private void endSession() throws ActiveMQException {
    if (session.isClosed()) {
      return;
    }
    try {
      session.getSessionContext().sessionClose();
    } finally {
      session.cleanUp(/* failingOver= */ false);
    }
  }
}
