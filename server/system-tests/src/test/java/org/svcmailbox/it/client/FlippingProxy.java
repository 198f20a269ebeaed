package org.svcmailbox.it.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A loopback port in front of a server, which flips a bit wherever a text passes in one direction.
 */
public final class FlippingProxy implements AutoCloseable {
  /** The direction in which it flips. */
  public enum Direction {
    TO_SERVER,
    TO_CLIENT
  }

  private static final int BUFFER = 8_192;

  private final int serverPort;
  private final byte[] marker;
  private final Direction direction;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = OwnThread.pool("flipping-proxy");

  /**
   * @param marker whose last bit is flipped; its first byte is in it only once
   */
  public FlippingProxy(int serverPort, byte[] marker, Direction direction) throws IOException {
    this.serverPort = serverPort;
    this.marker = marker.clone();
    this.direction = direction;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(client);
        sockets.add(server);
        threads.execute(() -> pass(client, server, direction == Direction.TO_SERVER));
        threads.execute(() -> pass(server, client, direction == Direction.TO_CLIENT));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to, boolean isFlipped) {
    byte[] bytes = new byte[BUFFER];
    int matched = 0;
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        for (int i = 0; isFlipped && i < length; i++) {
          matched = next(matched, bytes[i]);
          if (matched == marker.length) {
            bytes[i] ^= 1;
            matched = 0;
          }
        }
        out.write(bytes, 0, length);
      }
    } catch (IOException e) {
      // One side is gone.
    }
  }

  private int next(int matched, byte read) {
    return read == marker[matched] ? matched + 1 : read == marker[0] ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
