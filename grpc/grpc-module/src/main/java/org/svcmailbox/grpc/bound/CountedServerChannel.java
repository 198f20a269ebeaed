package org.svcmailbox.grpc.bound;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/**
 * A listening socket that closes connections beyond the limit before it reads anything from them.
 */
public final class CountedServerChannel extends NioServerSocketChannel {
  private final OpenConnections connections;

  public CountedServerChannel(OpenConnections connections) {
    this.connections = connections;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int before = accepted.size();
    int read = super.doReadMessages(accepted);
    for (int i = accepted.size() - 1; i >= before; i--) {
      if (accepted.get(i) instanceof Channel channel && !isAdmitted(channel)) {
        accepted.remove(i);
        // Not registered with an event loop yet, so closing the socket is enough.
        channel.unsafe().closeForcibly();
      }
    }
    return read;
  }

  private boolean isAdmitted(Channel channel) {
    SocketAddress peer = channel.remoteAddress();
    if (!(peer instanceof InetSocketAddress address) || address.getAddress() == null) {
      return false;
    }
    if (!connections.open(address.getAddress())) {
      return false;
    }
    ChannelFuture unused =
        channel.closeFuture().addListener(closed -> connections.close(address.getAddress()));
    return true;
  }
}
