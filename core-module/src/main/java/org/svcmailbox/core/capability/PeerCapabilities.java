package org.svcmailbox.core.capability;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Has the nodes of a cluster know each other, and authenticates each other's clients. */
public interface PeerCapabilities {
  /** The token by which other nodes know this one; valid for at least half a minute. */
  BearerToken peerToken();

  /**
   * Checks that a call is another node's; counts no rate.
   *
   * @throws DeniedException if the token is not a node's
   */
  void requirePeer(@Nullable String token, @Nullable InetAddress address);

  /**
   * Authenticates a client of another node, which has counted its rates.
   *
   * @param client the client's address, as the node says
   * @throws DeniedException if it is not a capability of this service
   */
  Caller authenticateForwarded(BearerToken token, @Nullable InetAddress client);
}
