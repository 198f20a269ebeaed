package org.svcmailbox.test.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A loopback port in front of a server. It passes everything on, but breaks one answer after a
 * given number of bytes. The server has then read the request and answered it.
 */
public final class BreakingProxy implements AutoCloseable {
  /** How an answer breaks. */
  public enum Fault {
    /** The connection is closed. */
    CUT,
    /** The connection is reset. */
    RESET,
    /** The rest never comes, and the connection stays open. */
    STALL,
    /** The rest follows a little later. */
    PAUSE
  }

  private static final long PAUSE_MILLIS = 2;

  private volatile InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = OwnThread.pool("breaking-proxy");

  private volatile Fault fault = Fault.CUT;

  /** How many bytes of answers pass before the fault; negative if there is none. */
  private int left = -1;

  /** A proxy in front of a server on the loopback interface. */
  public BreakingProxy(int serverPort) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.server = new InetSocketAddress(loopback, serverPort);
    try {
      this.listener = new ServerSocket(0, 50, loopback);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** New connections lead to another server from now on; those that there are stay. */
  public void leadTo(int serverPort) {
    server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
  }

  /** From now on, {@code bytes} bytes of answers pass on any connection, and then one breaks. */
  public synchronized void breakNext(Fault kind, int bytes) {
    fault = kind;
    left = bytes;
  }

  /** Whether an answer broke since; if not, one still may. */
  public synchronized boolean isBroken() {
    return left < 0;
  }

  /** Whether an answer broke since; if not, none will. */
  public synchronized boolean hasBroken() {
    boolean broken = left < 0;
    left = -1;
    return broken;
  }

  /** How many of the next bytes pass before the fault, or -1 if all do. */
  private synchronized int passing(int available) {
    if (left < 0) {
      return -1;
    }
    int passing = Math.min(left, available);
    left -= passing;
    if (left > 0) {
      return -1;
    }
    left = -1;
    return passing;
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
    InetSocketAddress to = server;
    try (client;
        Socket backend = new Socket(to.getAddress(), to.getPort())) {
      sockets.add(backend);
      client.setTcpNoDelay(true);
      backend.setTcpNoDelay(true);
      threads.execute(() -> passRequests(client, backend));
      passAnswers(client, backend);
      sockets.remove(backend);
    } catch (IOException e) {
      // One of the two has gone, and the other goes too.
    } finally {
      sockets.remove(client);
    }
  }

  /** Ends both connections with the client's. */
  private static void passRequests(Socket client, Socket backend) {
    try (backend) {
      client.getInputStream().transferTo(backend.getOutputStream());
    } catch (IOException e) {
      // As above.
    }
  }

  private void passAnswers(Socket client, Socket backend) throws IOException {
    InputStream in = backend.getInputStream();
    OutputStream out = client.getOutputStream();
    byte[] buffer = new byte[1 << 16];
    for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
      int passing = passing(read);
      if (passing < 0) {
        out.write(buffer, 0, read);
      } else {
        out.write(buffer, 0, passing);
        if (!goesOnAfterFault(client, backend)) {
          return;
        }
        out.write(buffer, passing, read - passing);
      }
    }
  }

  private boolean goesOnAfterFault(Socket client, Socket backend) throws IOException {
    switch (fault) {
      case CUT -> client.shutdownOutput();
      case RESET -> client.setSoLinger(true, 0);
      case STALL -> awaitEnd(backend);
      case PAUSE -> awaitPause();
    }
    return fault == Fault.PAUSE;
  }

  /** Returns when the client has given up, which closes the connection to the server. */
  private static void awaitEnd(Socket backend) throws IOException {
    long unused = backend.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  private static void awaitPause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
