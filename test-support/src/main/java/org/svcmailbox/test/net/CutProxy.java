package org.svcmailbox.test.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A loopback port in front of a server that can cut it off, as a network does: connections stay
 * open and new ones are accepted, but nothing passes in either direction. Bytes that were sent
 * arrive when it is mended, if both ends are still there.
 */
public final class CutProxy implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;

  private final int serverPort;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "cut-proxy");
            thread.setDaemon(true);
            return thread;
          });

  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** A proxy in front of a server on the loopback interface, which need not listen yet. */
  public CutProxy(int serverPort) {
    this.serverPort = serverPort;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** From now on nothing passes. */
  public void cut() {
    gate = new CountDownLatch(1);
  }

  /** From now on everything passes, beginning with what was held back. */
  public void mend() {
    gate.countDown();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        sockets.add(client);
        threads.execute(() -> connect(client));
      }
    } catch (IOException e) {
      // Closed.
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
        pass(server, client);
        sockets.remove(server);
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
    try {
      listener.close();
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
