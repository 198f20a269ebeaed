package org.svcmailbox.client.grpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on, and can stop passing bytes of those that it has. */
final class FrozenRelay implements AutoCloseable {
  private static final int BUFFER = 8_192;

  private final int target;
  private final ServerSocket server;
  private final List<Pair> pairs = new CopyOnWriteArrayList<>();

  FrozenRelay(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** From now on nothing passes over the connections that are there. */
  void freeze() {
    pairs.forEach(pair -> pair.isFrozen = true);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "frozen-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Pair pair = new Pair(client, new Socket(InetAddress.getLoopbackAddress(), target));
        pairs.add(pair);
        start(() -> pair.copy(pair.client, pair.door));
        start(() -> pair.copy(pair.door, pair.client));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static final class Pair {
    private final Socket client;
    private final Socket door;
    private volatile boolean isFrozen;

    Pair(Socket client, Socket door) {
      this.client = client;
      this.door = door;
    }

    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[BUFFER];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!isFrozen) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        // One side is closed, and then the other.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Pair pair : pairs) {
      pair.client.close();
      pair.door.close();
    }
  }
}
