package org.svcmailbox.ejb.link;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.core.remoting.impl.invm.InVMConnection;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Opens links: directly into the broker if a connection to it turns out to end in this process,
 * else through the client. If the broker's internals are not those that direct links were built
 * for, it uses the client.
 */
public final class BrokerLinks {
  private static final Logger LOG = System.getLogger(BrokerLinks.class.getName());

  private final BrokerConnections connections;
  private final AtomicReference<String> said = new AtomicReference<>("");

  public BrokerLinks(BrokerConnections connections) {
    this.connections = connections;
  }

  /**
   * Opens a link on a connection of its own.
   *
   * @param anyQueue one that exists as long as the link
   */
  public BrokerLink open(SimpleString anyQueue) {
    ClientSessionFactory connection = connections.connect();
    BrokerLink direct = direct(connection);
    if (direct != null) {
      connections.access().state().served();
      say("Messages go straight into the broker of this process");
      return direct;
    }
    say("Messages go to the broker through Artemis' client");
    return client(connections.open(connection, true), anyQueue);
  }

  private BrokerLink client(Connection connection, SimpleString anyQueue) {
    try {
      return new ClientLink(connection, anyQueue, connections.access().state());
    } catch (ActiveMQException | RuntimeException e) {
      connection.close();
      throw new UnavailableException("the broker failed to open a session", e);
    }
  }

  private @Nullable BrokerLink direct(ClientSessionFactory connection) {
    try {
      ActiveMQServer server = connections.access().inProcess().get();
      RemotingConnection other = server == null ? null : otherEnd(server, connection);
      return other == null ? null : new DirectLink(server, other, connection, connections.access());
    } catch (LinkageError e) {
      LOG.log(Level.WARNING, "Direct links do not support this version of the broker", e);
      return null;
    } catch (Exception e) {
      connection.close();
      throw new UnavailableException("the broker of this process failed to open a session", e);
    }
  }

  /** The broker at the other end of a connection, null if it is in another process. */
  public static @Nullable ActiveMQServer here(
      BrokerAccess access, ClientSessionFactory connection) {
    ActiveMQServer server = access.inProcess().get();
    return server != null && otherEnd(server, connection) != null ? server : null;
  }

  /** The broker's end of a connection, null if the connection ends elsewhere. */
  private static @Nullable RemotingConnection otherEnd(
      ActiveMQServer server, ClientSessionFactory connection) {
    RemotingConnection ours = connection.getConnection();
    RemotingService remoting = server.getRemotingService();
    boolean here = ours.getTransportConnection() instanceof InVMConnection && remoting != null;
    return here ? remoting.getConnection(ours.getID()) : null;
  }

  private void say(String what) {
    if (!what.equals(said.getAndSet(what))) {
      LOG.log(Level.INFO, what);
    }
  }
}
