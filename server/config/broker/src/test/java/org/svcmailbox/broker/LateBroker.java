package org.svcmailbox.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQNotConnectedException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.client.impl.ClientSessionInternal;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.server.impl.RefsOperation;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerConsumerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.core.transaction.TransactionPropertyIndexes;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A broker with one queue. It can fail a client's session, and have an acknowledgement arrive while
 * the session closes, after the rollback.
 */
final class LateBroker implements AutoCloseable {
  private static final String QUEUE = "log";
  private static final String INDEX = "index";

  /** The number of the message that comes late. */
  static final int REST = 99;

  private static final Duration SOON = Duration.ofSeconds(20);

  /** A message that has not come by then stays away. */
  private static final long AWAY_MILLIS = 2_000;

  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
  private final ServerLocator locator;
  private volatile @Nullable Packet late;

  /** The work of a packet that arrives when its session has failed. */
  private interface Packet {
    void handle(ServerSession session, ServerConsumer consumer) throws Exception;
  }

  /** Does the work of a packet that arrives at this moment. */
  private final class Late implements ActiveMQServerConsumerPlugin {
    @Override
    public void beforeCloseConsumer(ServerConsumer consumer, boolean failed) {
      Packet packet = late;
      if (packet != null) {
        late = null;
        try {
          // The rollback is over when it is on disk.
          server.getActiveMQServer().getStorageManager().waitOnOperations();
          packet.handle(session(consumer.getSessionID()), consumer);
        } catch (Exception refused) {
          // The client is gone.
          return;
        }
      }
    }
  }

  /** A session that receives and acknowledges, and never commits. */
  static final class Client implements AutoCloseable {
    private final LateBroker broker;
    private final ClientSessionFactory factory;
    private final ClientSession session;
    private final ClientConsumer consumer;

    private Client(LateBroker broker) throws Exception {
      this.broker = broker;
      factory = broker.locator.createSessionFactory();
      session = factory.createSession(false, false);
      consumer = session.createConsumer(QUEUE);
      session.start();
    }

    List<ClientMessage> receive(int count) throws ActiveMQException {
      List<ClientMessage> received = new ArrayList<>();
      ClientMessage next = consumer.receive(AWAY_MILLIS);
      while (next != null) {
        received.add(next);
        next = received.size() < count ? consumer.receive(AWAY_MILLIS) : null;
      }
      return received;
    }

    /** Until the session fails. */
    void acknowledgeAll(List<ClientMessage> messages) {
      try {
        for (ClientMessage message : messages) {
          message.individualAcknowledge();
        }
      } catch (ActiveMQException failed) {
        return;
      }
    }

    /** Returns when the broker has so many acknowledgements in the session's transaction. */
    void awaitStaged(int count) {
      Deadline.in(SOON).await(() -> staged() == count, () -> "staged: " + staged());
    }

    private String name() {
      return ((ClientSessionInternal) session).getName();
    }

    private int staged() {
      Transaction transaction = broker.session(name()).getCurrentTransaction();
      return transaction.getProperty(TransactionPropertyIndexes.REFS_OPERATION)
              instanceof RefsOperation operation
          ? operation.getReferencesToAcknowledge().size()
          : 0;
    }

    @Override
    public void close() throws ActiveMQException {
      session.close();
      factory.close();
    }
  }

  private LateBroker(Path directory, boolean refuses) throws Exception {
    Configuration configuration =
        SmallBroker.in(directory)
            .addAcceptorConfiguration("core", "tcp://127.0.0.1:0")
            .addQueueConfiguration(
                QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST));
    configuration.registerBrokerPlugin(new Late());
    if (refuses) {
      configuration.registerBrokerPlugin(new RefuseLateAcknowledgements());
    }
    server.setConfiguration(configuration);
    server.start();
    NettyAcceptor acceptor =
        (NettyAcceptor) server.getActiveMQServer().getRemotingService().getAcceptor("core");
    locator =
        ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + acceptor.getActualPort())
            .setReconnectAttempts(0)
            .setBlockOnAcknowledge(false);
  }

  /**
   * Starts one on what another has left there.
   *
   * @param refuses whether it has the plugin
   */
  static LateBroker start(Path directory, boolean refuses) throws Exception {
    return new LateBroker(directory, refuses);
  }

  private ServerSession session(String name) {
    return Objects.requireNonNull(server.getActiveMQServer().getSessionByID(name), name);
  }

  private Queue queue() {
    return server.getActiveMQServer().locateQueue(QUEUE);
  }

  long count() {
    return queue().getMessageCount();
  }

  int delivering() {
    return queue().getDeliveringCount();
  }

  Client open() throws Exception {
    return new Client(this);
  }

  /** Sends so many durable messages, numbered from 0. */
  void send(int count) throws Exception {
    try (ClientSessionFactory factory = locator.createSessionFactory();
        ClientSession session = factory.createSession(false, false);
        ClientProducer producer = session.createProducer(QUEUE)) {
      for (int i = 0; i < count; i++) {
        producer.send(session.createMessage(true).putIntProperty(INDEX, i));
      }
      session.commit();
    }
  }

  /** Takes up to so many messages for good, and returns their numbers. */
  List<Integer> take(int count) throws Exception {
    try (Client client = open()) {
      List<ClientMessage> messages = client.receive(count);
      for (ClientMessage message : messages) {
        message.individualAcknowledge();
      }
      client.session.commit();
      return messages.stream().map(message -> message.getIntProperty(INDEX)).toList();
    }
  }

  void acknowledgeWhileClosing(ClientMessage message) {
    long id = message.getMessageID();
    late = (session, consumer) -> session.individualAcknowledge(consumer.getID(), id);
  }

  /**
   * Has the rest of a transaction arrive: a message, and the commit.
   *
   * @param renewed whether the session has a new transaction by then
   * @return what becomes of the commit
   */
  CompletableFuture<Void> commitWhileClosing(boolean renewed) {
    CompletableFuture<Void> committed = new CompletableFuture<>();
    late =
        (session, consumer) -> {
          try {
            if (renewed) {
              session.rollback(false);
            }
            session.send(message(), false, QUEUE);
            session.commit();
            committed.complete(null);
          } catch (Exception refused) {
            committed.completeExceptionally(refused);
          }
        };
    return committed;
  }

  private Message message() {
    long id = server.getActiveMQServer().getStorageManager().generateID();
    return new CoreMessage(id, 64)
        .setAddress(QUEUE)
        .setDurable(true)
        .setRoutingType(RoutingType.ANYCAST)
        .putIntProperty(SimpleString.of(INDEX), REST);
  }

  /** Ends a client's connection as one that is cut off; returns when its session is gone. */
  void fail(Client client) {
    String name = client.name();
    session(name).getRemotingConnection().fail(new ActiveMQNotConnectedException("cut off"));
    Deadline.in(SOON)
        .await(
            () -> server.getActiveMQServer().getSessionByID(name) == null, () -> name + " is gone");
  }

  @Override
  public void close() {
    locator.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the broker does not stop", e);
    }
  }
}
