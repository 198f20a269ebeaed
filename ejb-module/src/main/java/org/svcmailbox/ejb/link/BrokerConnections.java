package org.svcmailbox.ejb.link;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.config.ServerLocatorConfig;
import org.apache.activemq.artemis.api.core.ActiveMQClusterSecurityException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.api.core.DiscoveryGroupConfiguration;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.BrokerSetting;
import org.svcmailbox.ejb.link.BrokerAccess.Login;

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

  /** Between two looks for the reason why nothing answers: each makes connections of its own. */
  private static final long PROBE_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long IMPATIENT_MILLIS = 2_000;

  private static final String NO_SESSION = "no session with the broker";

  private final BrokerAccess access;

  /** One for each broker that is named; of a pair, one serves. */
  private final List<ServerLocator> locators;

  /** The locator that led to the broker at last. */
  private final AtomicInteger latest = new AtomicInteger();

  private final AtomicLong probed = new AtomicLong(System.nanoTime() - PROBE_NANOS);

  /** Whether it may take time to find out why nothing answers. */
  private final boolean explains;

  public BrokerConnections(BrokerAccess access) {
    this(access, true);
  }

  private BrokerConnections(BrokerAccess access, boolean explains) {
    this.access = access;
    this.explains = explains;
    this.locators = copies(access.locator()).stream().map(BrokerConnections::tuned).toList();
  }

  /** Connections for callers who are waited for: a broker elsewhere has two seconds for a call. */
  public static BrokerConnections impatient(BrokerAccess access) {
    BrokerConnections made = new BrokerConnections(access, false);
    if (made.isRemote()) {
      made.locators.forEach(
          one -> one.setCallTimeout(Math.min(one.getCallTimeout(), IMPATIENT_MILLIS)));
    }
    return made;
  }

  /**
   * One locator per broker. A locator of several begins with any, gives up on the rest after one
   * that accepts and falls silent, and lets nobody else connect meanwhile.
   */
  private static List<ServerLocator> copies(ServerLocator given) {
    DiscoveryGroupConfiguration group = given.getDiscoveryGroupConfiguration();
    if (group != null) {
      return List.of(copy(given, ActiveMQClient.createServerLocator(given.isHA(), group)));
    }
    TransportConfiguration[] connectors = given.getStaticTransportConfigurations();
    boolean asksForBackup = given.isHA() && connectors.length == 1;
    return Stream.of(connectors)
        .map(one -> copy(given, ActiveMQClient.createServerLocator(asksForBackup, one)))
        .toList();
  }

  private static ServerLocator copy(ServerLocator given, ServerLocator copy) {
    copy.setLocatorConfig(new ServerLocatorConfig(given.getLocatorConfig()));
    return copy;
  }

  private static ServerLocator tuned(ServerLocator locator) {
    return locator
        .setReconnectAttempts(0)
        .setFailoverAttempts(0)
        .setInitialConnectAttempts(1)
        .setRetryInterval(RETRY_MILLIS)
        .setUseTopologyForLoadBalancing(locator.isHA())
        .setBlockOnDurableSend(false)
        // Questions to management, which would wait for more to be written with them.
        .setBlockOnNonDurableSend(true)
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
      Login login = access.login().get();
      ClientSession session = access.state().asking(() -> started(connected, login, transacted));
      access.state().served();
      return new Connection(connected, session);
    } catch (ActiveMQException | RuntimeException e) {
      connected.close();
      throw failed(e);
    }
  }

  @SuppressWarnings("MustBeClosedChecker")
  private static ClientSession started(
      ClientSessionFactory connected, Login login, boolean transacted) throws ActiveMQException {
    ClientSession session =
        connected.createSession(
            login.user(), login.password(), false, !transacted, !transacted, false, 0);
    session.start();
    return session;
  }

  /** Has the log say why there is no session. */
  private UnavailableException failed(Exception e) {
    UnavailableException unavailable = BrokerTrouble.unavailable(NO_SESSION, e);
    String why = String.valueOf(unavailable.getMessage());
    if (why.equals(NO_SESSION) && isRemote()) {
      // With TLS 1.3 the broker refuses a certificate after the connection has come about.
      explain();
    } else {
      access.state().failed(why);
    }
    return unavailable;
  }

  /** A new connection with nothing on it, to the broker that served last if that still does. */
  ClientSessionFactory connect() {
    renew();
    int first = latest.get();
    Exception failure = new ActiveMQInterruptedException(new InterruptedException());
    for (int i = 0; i < locators.size() && !Thread.currentThread().isInterrupted(); i++) {
      int next = (first + i) % locators.size();
      try {
        ServerLocator locator = locators.get(next);
        ClientSessionFactory connected = access.state().asking(locator::createSessionFactory);
        latest.set(next);
        access.state().opened(connected, place(connected.getConnectorConfiguration()));
        return connected;
      } catch (Exception e) {
        failure = e;
      }
    }
    explain();
    throw new UnavailableException(nowhere(), failure);
  }

  private void renew() {
    try {
      access.renewal().run();
    } catch (UnavailableException e) {
      access.state().failed(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private static String place(TransportConfiguration connector) {
    Map<String, Object> params = connector.getParams();
    return isRemote(connector)
        ? "at %s:%s"
            .formatted(
                params.get(TransportConstants.HOST_PROP_NAME),
                params.get(TransportConstants.PORT_PROP_NAME))
        : "in this process";
  }

  private static boolean isRemote(TransportConfiguration connector) {
    return connector.getParams().containsKey(TransportConstants.HOST_PROP_NAME);
  }

  private String nowhere() {
    return isRemote()
        ? "no broker of " + BrokerSetting.URL.key() + " answers"
        : "no connection to the broker";
  }

  /** Whether the broker is one of the network, even if that is this machine. */
  public boolean isRemote() {
    return remote().findAny().isPresent();
  }

  private Stream<TransportConfiguration> remote() {
    return locators.stream()
        .map(ServerLocator::getStaticTransportConfigurations)
        .filter(Objects::nonNull)
        .flatMap(Stream::of)
        .filter(BrokerConnections::isRemote);
  }

  /** Has the log say why no broker answers. */
  private void explain() {
    long before = probed.get();
    long now = System.nanoTime();
    if (!explains || now - before < PROBE_NANOS || !probed.compareAndSet(before, now)) {
      return;
    }
    String reasons =
        remote().map(one -> new ConnectionProbe(one).reason()).collect(Collectors.joining("; "));
    access.state().failed(nowhere() + (reasons.isEmpty() ? "" : ": " + reasons));
  }

  /** Whether this service shows a user and a password, and not only a certificate. */
  public boolean hasUser() {
    return access.login().get().user() != null;
  }

  /**
   * Whether the broker opens a session for somebody.
   *
   * @throws UnavailableException when that cannot be found out
   */
  public boolean admits(@Nullable String user, @Nullable String password) {
    ClientSessionFactory connected = connect();
    try {
      connected.createSession(user, password, false, true, true, false, 0).close();
      return true;
    } catch (ActiveMQSecurityException | ActiveMQClusterSecurityException e) {
      return false;
    } catch (ActiveMQException | RuntimeException e) {
      throw new UnavailableException("the broker cannot be asked who may enter", e);
    } finally {
      connected.close();
    }
  }

  public BrokerAccess access() {
    return access;
  }

  @Override
  public void close() {
    locators.forEach(ServerLocator::close);
  }
}
