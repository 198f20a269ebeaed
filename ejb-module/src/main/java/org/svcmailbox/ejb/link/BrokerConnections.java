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
 * Connections to the broker with this service's own parameters, whatever the server's connection
 * factory says. Each session has its own connection, and only a commit waits for the broker. A lost
 * connection is an error, because a silent reconnect would redeliver what a session believes it
 * still holds.
 */
public final class BrokerConnections implements AutoCloseable {
  /**
   * The size from which a message is streamed to the broker, in bytes. It exceeds a payload of 1
   * MiB with everything that can surround it.
   */
  static final int LARGE_BYTES = 2 * 1024 * 1024;

  /** How long the client pauses after each place that it tries, even the last. */
  private static final long RETRY_MILLIS = 50;

  /**
   * The interval between searches for the reason why no broker answers. Each search makes
   * connections of its own.
   */
  private static final long PROBE_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long IMPATIENT_MILLIS = 2_000;

  private static final String NO_SESSION = "no session with the broker";

  private final BrokerAccess access;

  /** One for each configured broker; of a pair, only one serves. */
  private final List<ServerLocator> locators;

  /** The index of the locator that last led to the broker. */
  private final AtomicInteger latest = new AtomicInteger();

  private final AtomicLong probed = new AtomicLong(System.nanoTime() - PROBE_NANOS);

  /** Whether it may take the time to find out why no broker answers. */
  private final boolean explains;

  public BrokerConnections(BrokerAccess access) {
    this(access, true);
  }

  private BrokerConnections(BrokerAccess access, boolean explains) {
    this.access = access;
    this.explains = explains;
    this.locators = copies(access.locator()).stream().map(BrokerConnections::tuned).toList();
  }

  /**
   * Connections for questions that a caller waits for: calls to a broker in another process time
   * out after two seconds.
   */
  public static BrokerConnections impatient(BrokerAccess access) {
    BrokerConnections made = new BrokerConnections(access, false);
    if (made.isRemote()) {
      made.locators.forEach(
          one -> one.setCallTimeout(Math.min(one.getCallTimeout(), IMPATIENT_MILLIS)));
    }
    return made;
  }

  /**
   * Makes one locator per broker. A locator with several brokers starts with any of them, skips the
   * rest after one that accepts and falls silent, and lets no other thread connect meanwhile.
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
        // For questions to management, which would otherwise wait to be written with later
        // messages.
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

  /** Opens a session on {@code connected} and takes ownership of it. */
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

  /** Logs why there is no session. */
  private UnavailableException failed(Exception e) {
    UnavailableException unavailable = BrokerTrouble.unavailable(NO_SESSION, e);
    String why = String.valueOf(unavailable.getMessage());
    if (why.equals(NO_SESSION) && isRemote()) {
      // With TLS 1.3 the broker refuses a certificate only after the connection is made.
      explain();
    } else {
      access.state().failed(why);
    }
    return unavailable;
  }

  /** A new connection without a session, to the broker that served last if that still serves. */
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

  /** Whether the broker is reached over the network, even on this machine. */
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

  /** Logs why no broker answers. */
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

  /** Whether this service logs in with a user, and not only with a certificate. */
  public boolean hasUser() {
    return access.login().get().user() != null;
  }

  /**
   * Whether the broker opens a session with this login.
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
      throw new UnavailableException("the broker cannot be asked whom it admits", e);
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
