package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.net.RawConnection;

@Isolated("a reader must pause for less than the timeout")
class SlowReaderTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  /** More than the two sockets hold, and more than may be taken within the test's time. */
  private static final int ANSWER = 32 << 20;

  private static IntakeServer.Builder server() {
    return IntakeServer.with().writeTimeout(TIMEOUT);
  }

  @Test
  void readerThatStallsIsCut() throws Exception {
    try (IntakeServer server = server().start();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(RawConnection.get("/?answer=" + ANSWER));
      server.await("io_timeouts.write", 1);
      server.await("connections", 0);
    }
  }

  @Test
  void readerThatTakesAByteNowAndThenIsCut() throws Exception {
    try (IntakeServer server = server().start();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(RawConnection.get("/?answer=" + ANSWER));
      long since = System.nanoTime();
      while (server.count("io_timeouts.write") == 0) {
        // 40 KiB/s: never silent, and less than the least.
        client.bytes(400);
        LockSupport.parkNanos(10_000_000);
        assertTrue(System.nanoTime() - since < 10_000_000_000L, "not cut");
      }
      server.await("connections", 0);
    }
  }

  @Test
  void stalledReaderIsCountedAlsoWhereTheListenerHasTheSameTimeout() throws Exception {
    try (IntakeServer server = server().listenersWriteTimeout(TIMEOUT).start()) {
      for (int i = 1; i <= 3; i++) {
        try (RawConnection client = RawConnection.narrow(server.address())) {
          client.send(RawConnection.get("/?answer=" + ANSWER));
          server.await("connections", 1);
          server.await("connections", 0);
          assertEquals(i, server.count("io_timeouts.write"));
        }
      }
    }
  }

  @Test
  void readerThatPausesAndGoesOnIsServed() throws Exception {
    try (IntakeServer server = server().start();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(RawConnection.get("/?answer=" + ANSWER));
      client.bytes(1000);
      LockSupport.parkNanos(TIMEOUT.toNanos() / 2);
      assertEquals(ANSWER, drain(client, ANSWER - 1000) + 1000);
      assertEquals(0, server.count("io_timeouts.write"));
      assertEquals(1, server.count("connections"));
    }
  }

  private static int drain(RawConnection client, int atLeast) throws IOException {
    return client.bytes(atLeast).length;
  }

  @Test
  void manyStalledReadersAreAllCut() throws Exception {
    // As many as may wait: none is refused before.
    int stalled = HeldAnswer.WAITERS;
    // Kept: a socket that nobody refers to is closed, and a client that has gone is not cut.
    List<RawConnection> clients = new ArrayList<>();
    try (IntakeServer server = server().start()) {
      for (int i = 0; i < stalled; i++) {
        clients.add(
            RawConnection.narrow(server.address()).send(RawConnection.get("/?answer=" + ANSWER)));
      }
      server.await("io_timeouts.write", stalled);
      server.await("connections", 0);
    } finally {
      for (RawConnection client : clients) {
        client.hangUp();
      }
    }
  }
}
