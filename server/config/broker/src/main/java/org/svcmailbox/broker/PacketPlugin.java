package org.svcmailbox.broker;

import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

/** A plugin that sees the packets of connections from the first one on. */
abstract class PacketPlugin implements ActiveMQServerPlugin, Interceptor {
  private @Nullable ActiveMQServer server;
  private @Nullable RemotingService remoting;

  @Override
  public void registered(ActiveMQServer owner) {
    server = owner;
  }

  /** The broker; null before it has registered the plugin. */
  @Nullable ActiveMQServer server() {
    return server;
  }

  /**
   * Called before the connection's first packet. A broker that becomes active again has a new
   * service for its connections.
   */
  @Override
  public synchronized void afterCreateConnection(RemotingConnection connection) {
    ActiveMQServer owner = server;
    if (owner != null && owner.getRemotingService() != remoting) {
      remoting = owner.getRemotingService();
      join(remoting);
    }
  }

  /** Adds this to the service's interceptors of incoming or of outgoing packets. */
  abstract void join(RemotingService connections);
}
