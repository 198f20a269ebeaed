package org.svcmailbox.ejb.broker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.test.net.HoldingProxy;

/** The nodes of a cluster as one broker sees them: sessions that a test can cut off. */
interface GroupNodes extends AutoCloseable {
  /** A session of another node. */
  GroupSession open();

  /** Ends a session as the end of its node's process does. */
  void cut(GroupSession session);

  /** Has what a session sends wait on its way, where there is a way. */
  void hold(GroupSession session);

  /** Has what was held arrive. */
  void release(GroupSession session);

  /** Closes the sessions that are left. */
  @Override
  void close();

  /** Makes the logs and shards of so many groups. */
  static List<WorkerId> makeGroups(BrokerAccess access, int count) {
    List<WorkerId> groups = new ArrayList<>();
    try (BrokerConnections connections = new BrokerConnections(access);
        BrokerAdmin admin = new BrokerAdmin(connections)) {
      BatchLogQueues logs =
          new BatchLogQueues(connections, admin, System::nanoTime, LockSupport::parkNanos);
      for (int i = 0; i < count; i++) {
        WorkerId group = WorkerId.of(i);
        if (!logs.has(group)) {
          logs.make(group, BatchId.NONE);
        }
        admin.queues().create(QueueNames.of(GroupSession.shard(group)));
        groups.add(group);
      }
    }
    return groups;
  }

  /** Nodes of a fixture's broker, which has its plugins once it was reached over the network. */
  static GroupNodes of(ArtemisFixture fixture, Way way) {
    Objects.requireNonNull(fixture.artemis().remoteLocator());
    BrokerAccess access = ArtemisFixture.access(fixture.artemis(), way);
    return way == Way.DIRECT ? new Direct(fixture.artemis().server(), access) : new Remote(access);
  }

  /** Nodes whose connections go through a proxy each. */
  final class Remote implements GroupNodes {
    private final BrokerAccess access;
    private final TransportConfiguration broker;
    private final IdentityHashMap<GroupSession, HoldingProxy> proxies = new IdentityHashMap<>();

    Remote(BrokerAccess access) {
      this.access = access;
      this.broker = access.locator().getStaticTransportConfigurations()[0];
    }

    @Override
    public GroupSession open() {
      int port = (Integer) Objects.requireNonNull(broker.getParams().get("port"));
      HoldingProxy proxy = new HoldingProxy(port);
      BrokerAccess way =
          new BrokerAccess(locator(proxy.port()), access.login(), () -> null, access.state());
      GroupSession session = new GroupSession(GroupSession.broker(way), proxy);
      proxies.put(session, proxy);
      return session;
    }

    private ServerLocator locator(int port) {
      return ActiveMQClient.createServerLocatorWithoutHA(
              new TransportConfiguration(
                  broker.getFactoryClassName(), Map.of("host", "127.0.0.1", "port", port)))
          .setClientFailureCheckPeriod(500);
    }

    private HoldingProxy proxy(GroupSession session) {
      return Objects.requireNonNull(proxies.get(session));
    }

    @Override
    public void cut(GroupSession session) {
      proxy(session).hold();
      proxy(session).drop();
    }

    @Override
    public void hold(GroupSession session) {
      proxy(session).hold();
    }

    @Override
    public void release(GroupSession session) {
      proxy(session).release();
    }

    @Override
    public void close() {
      proxies.keySet().forEach(GroupSession::close);
      proxies.clear();
    }
  }

  /** Sessions straight into a broker of this process. */
  final class Direct implements GroupNodes {
    private final ActiveMQServer server;
    private final BrokerAccess access;
    private final IdentityHashMap<GroupSession, ServerSession> sessions = new IdentityHashMap<>();

    Direct(ActiveMQServer server, BrokerAccess access) {
      this.server = server;
      this.access = access;
    }

    @Override
    public GroupSession open() {
      ArtemisBroker broker = GroupSession.broker(access);
      // Opens the sessions that the broker keeps for its questions.
      broker.open().close();
      Set<ServerSession> before = new HashSet<>(server.getSessions());
      GroupSession opened = new GroupSession(broker, () -> {});
      ServerSession own =
          server.getSessions().stream()
              .filter(session -> !before.contains(session))
              .findFirst()
              .orElseThrow();
      sessions.put(opened, own);
      return opened;
    }

    @Override
    public void cut(GroupSession session) {
      Objects.requireNonNull(sessions.get(session))
          .getRemotingConnection()
          .fail(new ActiveMQException("cut"));
    }

    @Override
    public void hold(GroupSession session) {
      // Nothing is on its way.
    }

    @Override
    public void release(GroupSession session) {
      // As above.
    }

    @Override
    public void close() {
      sessions.keySet().forEach(GroupSession::close);
      sessions.clear();
    }
  }
}
