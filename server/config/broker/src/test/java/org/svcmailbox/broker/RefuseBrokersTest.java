package org.svcmailbox.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.FederationConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationDownstreamConfiguration;
import org.apache.activemq.artemis.core.config.federation.FederationQueuePolicyConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.protocol.core.CoreRemotingConnection;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.ChannelImpl.CHANNEL_ID;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.BackupRequestMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ClusterConnectMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.CreateQueueMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.FederationDownstreamConnectMessage;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ScaleDownAnnounceMessage;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.test.concurrent.Deadline;

/** Packets of brokers, sent to a broker that listens by a client that has shown no password. */
@SuppressWarnings("NullAway.Init")
class RefuseBrokersTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long CALL_MILLIS = 500;
  private static final String USER = "service";
  private static final String PASSWORD = "secret";
  private static final String MINE = "mine";
  private static final SimpleString QUEUE = SimpleString.of("forged");

  /** Knows the service, which may do everything. */
  private static final class OneUser implements ActiveMQSecurityManager {
    @Override
    public boolean validateUser(@Nullable String user, @Nullable String password) {
      return USER.equals(user) && PASSWORD.equals(password);
    }

    @Override
    public boolean validateUserAndRole(
        @Nullable String user, @Nullable String password, Set<Role> roles, CheckType check) {
      return validateUser(user, password);
    }
  }

  private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
  private final CountDownLatch ended = new CountDownLatch(1);
  private ServerLocator locator;
  private ClientSessionFactory factory;

  private void start(boolean refuses) throws Exception {
    start(refuses, false);
  }

  /**
   * Starts the broker, and connects.
   *
   * @param refuses whether it has the plugin
   * @param asks whether it asks for a password
   */
  private void start(boolean refuses, boolean asks) throws Exception {
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(false)
            .setSecurityEnabled(asks)
            .setJMXManagementEnabled(false)
            .addQueueConfiguration(
                QueueConfiguration.of(MINE).setRoutingType(RoutingType.ANYCAST).setDurable(false))
            .addAcceptorConfiguration("core", "tcp://127.0.0.1:0?protocols=CORE");
    if (refuses) {
      configuration.registerBrokerPlugin(new RefuseBrokers());
    }
    server.setSecurityManager(new OneUser());
    server.setConfiguration(configuration);
    server.start();
    NettyAcceptor acceptor =
        (NettyAcceptor) server.getActiveMQServer().getRemotingService().getAcceptor("core");
    locator =
        ActiveMQClient.createServerLocator("tcp://127.0.0.1:" + acceptor.getActualPort())
            .setReconnectAttempts(0);
    factory = locator.createSessionFactory();
    factory.getConnection().addCloseListener(ended::countDown);
  }

  @AfterEach
  void end() throws Exception {
    locator.close();
    server.stop();
  }

  private void send(CHANNEL_ID channel, Packet packet) {
    CoreRemotingConnection connection = (CoreRemotingConnection) factory.getConnection();
    connection.getChannel(channel.id, -1).send(packet);
  }

  private void assertTheConnectionEnds() throws InterruptedException {
    assertTrue(ended.await(SOON.toMillis(), TimeUnit.MILLISECONDS), "it is still open");
  }

  /** Tells the broker to fetch from a port of ours, as CVE-2026-27446 describes. */
  private static Packet connectTo(ServerSocket ours) {
    FederationDownstreamConfiguration stream =
        new FederationDownstreamConfiguration().setName("forged").addPolicyRef("forged");
    stream.setUpstreamConfiguration(
        new TransportConfiguration(
            NettyConnectorFactory.class.getName(),
            Map.of(
                TransportConstants.HOST_PROP_NAME,
                "127.0.0.1",
                TransportConstants.PORT_PROP_NAME,
                ours.getLocalPort()),
            "ours"));
    // Otherwise it tries for ever, and cannot be stopped meanwhile.
    stream
        .getConnectionConfiguration()
        .setInitialConnectAttempts(1)
        .setReconnectAttempts(0)
        .setCallTimeout(CALL_MILLIS);
    FederationDownstreamConnectMessage message = new FederationDownstreamConnectMessage();
    message.setName("forged");
    message.setCredentials(new FederationConfiguration.Credentials().setUser("a").setPassword("b"));
    message.setStreamConfiguration(stream);
    message.setFederationPolicyMap(
        Map.of(
            "forged",
            new FederationQueuePolicyConfiguration()
                .setName("forged")
                .addInclude(
                    new FederationQueuePolicyConfiguration.Matcher()
                        .setAddressMatch("#")
                        .setQueueMatch("#"))));
    message.setTransformerConfigurationMap(Map.of());
    return message;
  }

  private static ServerSocket listen(Duration patience) throws Exception {
    ServerSocket ours = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    ours.setSoTimeout((int) patience.toMillis());
    return ours;
  }

  /** As the service does: the broker fetches for a queue that has a consumer. */
  private ClientSessionFactory receive() throws Exception {
    ClientSessionFactory service = locator.createSessionFactory();
    ClientSession session = service.createSession(USER, PASSWORD, false, true, true, false, 1);
    ClientConsumer unused = session.createConsumer(MINE);
    return service;
  }

  @Test
  void aBrokerThatIsToldToConnectElsewhereEndsTheConnection() throws Exception {
    start(true);
    try (ServerSocket ours = listen(Duration.ofSeconds(1));
        ClientSessionFactory service = receive()) {
      assertNotNull(service);
      send(CHANNEL_ID.FEDERATION, connectTo(ours));
      assertTheConnectionEnds();
      assertThrows(SocketTimeoutException.class, ours::accept);
    }
  }

  /** The defect of Artemis, without which the test above would show nothing. */
  @Test
  void withoutThePluginItConnects() throws Exception {
    start(false);
    try (ServerSocket ours = listen(SOON);
        ClientSessionFactory service = receive()) {
      assertNotNull(service);
      send(CHANNEL_ID.FEDERATION, connectTo(ours));
      try (Socket broker = ours.accept()) {
        assertNotNull(broker);
      }
    }
  }

  /** From 2.52 on Artemis asks who sends this. A queue is still made without a question. */
  @Test
  void withoutThePluginTheServicesReleaseConnectsThoughItAsksForPasswords() throws Exception {
    start(false, true);
    try (ServerSocket ours = listen(SOON);
        ClientSessionFactory service = receive()) {
      assertNotNull(service);
      send(CHANNEL_ID.FEDERATION, connectTo(ours));
      if (VersionLoader.getVersion().getFullVersion().startsWith("2.44.")) {
        try (Socket broker = ours.accept()) {
          assertNotNull(broker);
        }
      } else {
        assertTheConnectionEnds();
      }
    }
  }

  private static Packet forgeAQueue() {
    return new CreateQueueMessage(
        QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST).setDurable(false), false);
  }

  @Test
  void withoutThePluginAStrangerMakesAQueue() throws Exception {
    start(false, true);
    send(CHANNEL_ID.SESSION, forgeAQueue());
    Deadline.in(SOON)
        .await(() -> server.getActiveMQServer().locateQueue(QUEUE) != null, () -> "a queue");
  }

  static Stream<Arguments> packetsOfBrokers() {
    Packet queue = forgeAQueue();
    Packet member = new ClusterConnectMessage("user", "password");
    Packet backup = new BackupRequestMessage(1, SimpleString.of("node"));
    Packet scaled = new ScaleDownAnnounceMessage(SimpleString.of("a"), SimpleString.of("b"));
    return Stream.of(
        Arguments.of(CHANNEL_ID.SESSION, queue),
        Arguments.of(CHANNEL_ID.PING, queue),
        Arguments.of(CHANNEL_ID.CLUSTER, member),
        Arguments.of(CHANNEL_ID.CLUSTER, backup),
        Arguments.of(CHANNEL_ID.CLUSTER, scaled),
        Arguments.of(CHANNEL_ID.REPLICATION, member),
        Arguments.of(CHANNEL_ID.FEDERATION, member));
  }

  @ParameterizedTest
  @MethodSource("packetsOfBrokers")
  void aPacketOfABrokerEndsItsConnection(CHANNEL_ID channel, Packet packet) throws Exception {
    start(true);
    send(channel, packet);
    assertTheConnectionEnds();
    assertNull(server.getActiveMQServer().locateQueue(QUEUE));
    try (ClientSessionFactory other = locator.createSessionFactory();
        ClientSession session = other.createSession(USER, PASSWORD, false, true, true, false, 1)) {
      assertFalse(session.isClosed());
    }
  }

  @Test
  void aClientThatAsksForTheTopologySendsAndReceives() throws Exception {
    start(true);
    try (ClientSession session = factory.createSession()) {
      session.createProducer(MINE).send(session.createMessage(false));
      session.start();
      try (ClientConsumer consumer = session.createConsumer(MINE)) {
        assertNotNull(consumer.receive(SOON.toMillis()));
      }
    }
    assertEquals(1, locator.getTopology().getMembers().size());
  }
}
