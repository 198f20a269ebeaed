package org.svcmailbox.test.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A loopback port in front of a server that can cut it off, as a network does. Connections stay
 * open and new ones are accepted, but nothing passes in either direction. Bytes that were sent
 * arrive when it is mended, if both ends are still there. While the server does not listen, neither
 * does this. Linux only.
 */
public final class CutProxy implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;

  /** Between two looks at the table of the system's connections, which take it long. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final int serverPort;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = OwnThread.pool("cut-proxy");

  private volatile boolean closed;
  private volatile @Nullable ServerSocket listener;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /**
   * A proxy in front of a server on the loopback interface.
   *
   * @param port where it listens
   */
  public CutProxy(int port, int serverPort) {
    this.port = port;
    this.serverPort = serverPort;
    threads.execute(this::follow);
  }

  public int port() {
    return port;
  }

  /** From now on nothing passes. */
  public void cut() {
    gate = new CountDownLatch(1);
  }

  /** From now on everything passes, beginning with what was held back. */
  public void mend() {
    gate.countDown();
  }

  private void follow() {
    while (!closed) {
      if (PortOffset.isListening(serverPort)) {
        listen();
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  /** Accepts connections for as long as the server listens. */
  private void listen() {
    try (ServerSocket opened = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
      listener = opened;
      opened.setSoTimeout((int) LOOK.toMillis());
      while (!closed && PortOffset.isListening(serverPort)) {
        accept(opened);
      }
    } catch (SocketException e) {
      // Closed, because the server no longer listens.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket opened) throws IOException {
    try {
      Socket client = opened.accept();
      sockets.add(client);
      threads.execute(() -> connect(client));
    } catch (SocketTimeoutException e) {
      // Nothing connected.
    }
  }

  /** A client that loses its connection to a server that has gone is refused from then on. */
  private void refuseIfGone() throws IOException {
    ServerSocket present = listener;
    if (present != null && !PortOffset.isListening(serverPort)) {
      present.close();
    }
  }

  private void connect(Socket client) {
    try (client) {
      gate.await();
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
        sockets.add(server);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        threads.execute(() -> passAndClose(client, server));
        try {
          pass(server, client);
        } finally {
          refuseIfGone();
          sockets.remove(server);
        }
      }
    } catch (IOException e) {
      // One of the two has gone, and the other goes too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(client);
    }
  }

  private void passAndClose(Socket from, Socket to) {
    try (to) {
      pass(from, to);
    } catch (IOException e) {
      // As above.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(Socket from, Socket to) throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK_BYTES];
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
      gate.await();
      out.write(chunk, 0, read);
    }
    // An end is as little told as anything else.
    gate.await();
  }

  @Override
  public void close() {
    closed = true;
    try {
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
