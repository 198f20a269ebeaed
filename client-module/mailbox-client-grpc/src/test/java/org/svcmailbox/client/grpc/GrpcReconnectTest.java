package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxConnectionException;

/** A service that accepts connections and closes them, as a proxy does while its server starts. */
class GrpcReconnectTest {
  private static final Duration LASTING = Duration.ofSeconds(3);

  /** In three seconds gRPC alone tries at 0, 1 and 2.6 s, and ever more rarely. */
  private static final int ALONE = 3;

  private static final int TWICE_A_SECOND = 9;

  private final AtomicInteger attempts = new AtomicInteger();
  private final ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

  GrpcReconnectTest() throws IOException {}

  @BeforeEach
  void listen() {
    Thread thread = new Thread(this::closeAll, "closing");
    thread.setDaemon(true);
    thread.start();
  }

  private void closeAll() {
    try {
      while (true) {
        closing.accept().close();
        attempts.incrementAndGet();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @AfterEach
  void end() throws IOException {
    closing.close();
  }

  @Test
  void sendsKeepTryingToConnect() {
    try (GrpcConnections connections = connections();
        GrpcMailbox<String, String> mailbox =
            GrpcFixture.builder(connections).sendTimeout(LASTING).build()) {
      assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
    }
    assertAttempts();
  }

  @Test
  void streamsKeepTryingToConnect() {
    try (GrpcConnections connections = connections();
        GrpcMailbox<String, String> mailbox = GrpcFixture.builder(connections).build()) {
      long end = System.nanoTime() + LASTING.toNanos();
      while (System.nanoTime() - end < 0) {
        assertThrows(
            MailboxConnectionException.class, () -> mailbox.receive(1, GrpcFixture.LEASE, LASTING));
      }
    }
    assertAttempts();
  }

  private GrpcConnections connections() {
    return GrpcConnections.builder(URI.create("http://127.0.0.1:" + closing.getLocalPort()))
        .build();
  }

  private void assertAttempts() {
    int all = attempts.get();
    assertTrue(all > ALONE && all <= TWICE_A_SECOND, "attempts: " + all);
  }
}
