package org.svcmailbox.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A loopback port in front of a service that treats the connections it has badly. As a NAT that has
 * forgotten them, it freezes them in both directions and tells nobody. It can also drop them, or
 * pass everything late. New connections work.
 */
final class Relay implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;

  private final int servicePort;
  private final ServerSocket listener;
  private final Set<Passage> passages = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = OwnThread.pool("relay");
  private final CountDownLatch never = new CountDownLatch(1);
  private volatile Duration delay = Duration.ZERO;

  private final class Passage {
    private final Socket client;
    private final Socket service;
    private volatile boolean frozen;

    Passage(Socket client, Socket service) {
      this.client = client;
      this.service = service;
    }

    void pass(Socket from, Socket to) {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
          boolean unused = never.await(delay.toNanos(), TimeUnit.NANOSECONDS);
          thaw();
          out.write(chunk, 0, read);
        }
        thaw();
      } catch (IOException e) {
        // One end is gone, and the other goes too.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        close();
      }
    }

    /** An end is as little told as anything else. */
    private void thaw() throws InterruptedException {
      if (frozen) {
        never.await();
      }
    }

    void close() {
      closeQuietly(client);
      closeQuietly(service);
      passages.remove(this);
    }
  }

  Relay(int servicePort) {
    this.servicePort = servicePort;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** From now on nothing passes on the connections that there are. */
  void freeze() {
    passages.forEach(passage -> passage.frozen = true);
  }

  /** Ends the connections that there are. */
  void drop() {
    passages.forEach(Passage::close);
  }

  /** From now on everything passes so much later. */
  void delay(Duration time) {
    delay = time;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket service = new Socket(InetAddress.getLoopbackAddress(), servicePort);
        client.setTcpNoDelay(true);
        service.setTcpNoDelay(true);
        Passage passage = new Passage(client, service);
        passages.add(passage);
        threads.execute(() -> passage.pass(client, service));
        threads.execute(() -> passage.pass(service, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // It was to be gone, and is.
    }
  }

  @Override
  public void close() {
    closeQuietly(listener);
    drop();
    threads.shutdownNow();
  }
}
