package org.svcmailbox.bench.rendezvous;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;

/** GETs that wait at the rendezvous door, each on a connection of its own that is never read. */
final class WaitingGets implements Closeable {
  /** The longest wait that the door allows. */
  private static final int WAIT_MILLIS = 55_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String GAUGE = "waiting_requests ";

  private final SocketFactory sockets;
  private final URI door;
  private final List<Socket> connections;

  /** Opens all connections before the first GET, because the handshakes may outlast a wait. */
  WaitingGets(SocketFactory sockets, URI door, int count) throws IOException {
    this.sockets = sockets;
    this.door = door;
    this.connections = IntStream.range(0, count).parallel().mapToObj(i -> connect()).toList();
    for (int i = 0; i < count; i++) {
      say(connections.get(i), request(i));
    }
  }

  /** Returns once the server counts all of them. */
  void awaitAll() throws IOException {
    await(connections.size());
  }

  /** A GET with the longest wait on a mailbox of turn 0. */
  static String request(int number) {
    String path = RendezvousPeer.mailbox(0, number) + "?wait_ms=" + WAIT_MILLIS;
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private Socket connect() {
    try {
      Socket socket = sockets.createSocket(door.getHost(), door.getPort());
      if (socket instanceof SSLSocket secured) {
        secured.startHandshake();
      }
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void say(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private void await(int count) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (waiting() != count) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(waiting() + " wait, not " + count);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private int waiting() throws IOException {
    try (Socket socket = connect()) {
      say(socket, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer
          .lines()
          .filter(line -> line.startsWith(GAUGE))
          .mapToInt(line -> (int) Double.parseDouble(line.substring(GAUGE.length())))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no " + GAUGE + "in " + answer));
    }
  }

  /** Closes the connections and returns once the server counts none. */
  @Override
  public void close() throws IOException {
    for (Socket connection : connections) {
      connection.close();
    }
    await(0);
  }
}
