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
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A loopback port in front of a server that can hold back what clients send. The server gets all of
 * it later, even from a client that has given up and gone. That a client has gone it learns from
 * {@link #passEnds} only.
 */
public final class HoldingProxy implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;

  private final int serverPort;
  private final ServerSocket listener;
  private final Set<Passage> passages = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = OwnThread.pool("holding-proxy");

  /** One connection, from the client to the server. */
  private final class Passage {
    private final Socket client;
    private final Socket server;
    private volatile boolean gone;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Passage(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void passRequests() {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
          gate.await();
          out.write(chunk, 0, read);
        }
        gone = true;
      } catch (IOException e) {
        closeBoth();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Reads on when the client has gone, so that the server is not reset meanwhile. */
    void passAnswers() {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        InputStream in = server.getInputStream();
        for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
          writeToClient(chunk, read);
        }
      } catch (IOException e) {
        // The server has ended the connection.
      } finally {
        closeBoth();
        passages.remove(this);
      }
    }

    private void writeToClient(byte[] chunk, int length) {
      try {
        client.getOutputStream().write(chunk, 0, length);
      } catch (IOException e) {
        // It has gone; what it sent before still counts.
      }
    }

    boolean isHeld() {
      return gate.getCount() > 0;
    }

    void passEnd() {
      try {
        server.shutdownOutput();
      } catch (IOException e) {
        closeBoth();
      }
    }

    void closeBoth() {
      closeQuietly(client);
      closeQuietly(server);
    }
  }

  /** A proxy in front of a server on the loopback interface. */
  public HoldingProxy(int serverPort) {
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

  /** Holds back from now on what comes on the connections that there are; later ones pass. */
  public void hold() {
    passages.forEach(passage -> passage.gate = new CountDownLatch(1));
  }

  /** Passes on what was held back, and all that follows. */
  public void release() {
    passages.forEach(passage -> passage.gate.countDown());
  }

  /** Ends the connections that are held back, and loses what was. */
  public void drop() {
    passages.stream().filter(Passage::isHeld).forEach(Passage::closeBoth);
  }

  /** Tells the server which clients have gone; they have sent all by then that they ever do. */
  public void passEnds() {
    passages.stream().filter(passage -> passage.gone).forEach(Passage::passEnd);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Passage passage = new Passage(client, server);
        passages.add(passage);
        threads.execute(passage::passRequests);
        threads.execute(passage::passAnswers);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was to be gone, and is.
    }
  }

  @Override
  public void close() {
    closeQuietly(listener);
    passages.forEach(Passage::closeBoth);
    threads.shutdownNow();
  }

  private static void closeQuietly(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
