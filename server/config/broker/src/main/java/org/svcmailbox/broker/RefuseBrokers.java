package org.svcmailbox.broker;

import java.util.Set;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.ChannelImpl.CHANNEL_ID;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.remoting.server.RemotingService;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Lets a connection send only what clients send, and nothing that only other brokers would.
 *
 * <p>Artemis obeys some packets of brokers before anybody has presented a password. Before 2.52 it
 * connects to the address in one of them (CVE-2026-27446), and it still creates the queue in
 * another. Outside sessions this lets only packets of the client library pass, and ends a
 * connection that sends anything else. See docs/adr/0080.
 */
public final class RefuseBrokers extends PacketPlugin {
  private static final Set<Byte> ON_THE_FIRST_CHANNEL =
      Set.of(PacketImpl.PING, PacketImpl.SUBSCRIBE_TOPOLOGY, PacketImpl.SUBSCRIBE_TOPOLOGY_V2);

  private static final Set<Byte> TO_OPEN_A_SESSION =
      Set.of(
          PacketImpl.CREATESESSION,
          PacketImpl.CREATESESSION_V2,
          PacketImpl.REATTACH_SESSION,
          PacketImpl.CHECK_FOR_FAILOVER);

  @Override
  void join(RemotingService connections) {
    connections.addIncomingInterceptor(this);
  }

  /** When a connection is ended, the broker logs a line with the client's address. */
  @Override
  public boolean intercept(Packet packet, RemotingConnection connection) {
    if (isOfAClient(packet.getChannelID(), packet.getType())) {
      return true;
    }
    connection.fail(
        new ActiveMQSecurityException(
            "packet " + packet.getType() + " is a broker's, and no other broker is let in"));
    return false;
  }

  private static boolean isOfAClient(long channel, byte type) {
    if (channel == CHANNEL_ID.PING.id) {
      return ON_THE_FIRST_CHANNEL.contains(type);
    }
    if (channel == CHANNEL_ID.SESSION.id) {
      return TO_OPEN_A_SESSION.contains(type);
    }
    // Within a session, the user's rights apply.
    return channel >= CHANNEL_ID.USER.id;
  }
}
