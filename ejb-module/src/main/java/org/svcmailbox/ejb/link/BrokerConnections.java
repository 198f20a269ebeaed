package org.svcmailbox.ejb.link;

import org.apache.activemq.artemis.api.config.ServerLocatorConfig;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.DiscoveryGroupConfiguration;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Connections to the broker as this service needs them, whatever the server's connection factory
 * was set to. Each session has a connection of its own, and only a commit waits for the broker. A
 * lost connection is an error: a silent reconnect would deliver again what a session believes it
 * still holds.
 */
public final class BrokerConnections implements AutoCloseable {
  /**
   * From how many bytes on a message is streamed to the broker; over a payload of 1 MiB with all it
   * can have around it.
   */
  static final int LARGE_BYTES = 2 * 1024 * 1024;

  /** The client waits so long between the places it tries, even after the last. */
  private static final long RETRY_MILLIS = 50;

  private final BrokerAccess access;
  private final ServerLocator locator;

  public BrokerConnections(BrokerAccess access) {
    this.access = access;
    this.locator = tuned(copy(access.locator()));
  }

  private static ServerLocator copy(ServerLocator given) {
    TransportConfiguration[] connectors = given.getStaticTransportConfigurations();
    DiscoveryGroupConfiguration group = given.getDiscoveryGroupConfiguration();
    ServerLocator copy =
        group == null
            ? ActiveMQClient.createServerLocator(given.isHA(), connectors)
            : ActiveMQClient.createServerLocator(given.isHA(), group);
    copy.setLocatorConfig(new ServerLocatorConfig(given.getLocatorConfig()));
    return copy;
  }

  private static ServerLocator tuned(ServerLocator locator) {
    return locator
        .setReconnectAttempts(0)
        .setInitialConnectAttempts(1)
        .setRetryInterval(RETRY_MILLIS)
        .setUseTopologyForLoadBalancing(locator.isHA())
        .setBlockOnDurableSend(false)
        .setBlockOnAcknowledge(false)
        .setProducerWindowSize(-1)
        .setProducerMaxRate(-1)
        .setConsumerWindowSize(ShardConsumer.WINDOW_BYTES)
        .setConsumerMaxRate(-1)
        .setConfirmationWindowSize(-1)
        .setMinLargeMessageSize(LARGE_BYTES)
        .setCompressLargeMessage(false)
        .setCacheLargeMessagesClient(false)
        .setPreAcknowledge(false)
        .setAutoGroup(false)
        .setGroupID(null);
  }

  /** A new connection with one session on it. */
  public Connection open(boolean transacted) {
    return open(connect(), transacted);
  }

  /** One session on a connection that is its own from now on. */
  @SuppressWarnings("MustBeClosedChecker")
  Connection open(ClientSessionFactory connected, boolean transacted) {
    try {
      ClientSession session =
          connected.createSession(
              access.user(), access.password(), false, !transacted, !transacted, false, 0);
      session.start();
      return new Connection(connected, session);
    } catch (ActiveMQException | RuntimeException e) {
      connected.close();
      throw new UnavailableException("no session with the broker", e);
    }
  }

  /** A new connection with nothing on it. */
  ClientSessionFactory connect() {
    try {
      return locator.createSessionFactory();
    } catch (Exception e) {
      throw new UnavailableException("no connection to the broker", e);
    }
  }

  public BrokerAccess access() {
    return access;
  }

  @Override
  public void close() {
    locator.close();
  }
}
