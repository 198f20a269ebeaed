package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.net.RawConnection;

@Isolated("it measures when a client is cut")
class IdleTimeoutTest {
  private static final Duration TIMEOUT = Duration.ofMillis(600);
  private static final Duration SLACK = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofMinutes(5);

  private static void assertServed(RawConnection client) throws Exception {
    assertEquals(200, client.send(RawConnection.get("/")).receive().status());
  }

  @Test
  void connectionIsClosedWhenItWasIdleForTheTimeout() throws Exception {
    try (IntakeServer server = IntakeServer.with().idleTimeout(TIMEOUT).start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int i = 0; i < 3; i++) {
        assertServed(client);
        assertTrue(client.isSilentFor(TIMEOUT.dividedBy(2)));
      }
      assertServed(client);
      long since = System.nanoTime();
      assertTrue(client.isEnded());
      Duration taken = Duration.ofNanos(System.nanoTime() - since);
      assertTrue(taken.plusMillis(50).compareTo(TIMEOUT) >= 0, () -> "too early: " + taken);
      assertTrue(taken.compareTo(TIMEOUT.plus(SLACK)) < 0, () -> "too late: " + taken);
      assertEquals(1, server.count("io_timeouts.idle"));
      server.await("connections", 0);
    }
  }

  @Test
  void requestThatWaitsForItsAnswerIsNotIdle() throws Exception {
    try (IntakeServer server = IntakeServer.with().idleTimeout(TIMEOUT).start();
        RawConnection client = RawConnection.to(server.address())) {
      assertServed(client);
      client.send(RawConnection.get("/?wait=unread"));
      server.door().awaitArrival();
      assertTrue(client.isSilentFor(TIMEOUT.multipliedBy(2)));
      server.door().letGo();
      assertEquals(200, client.receive().status());
      assertEquals(0, server.count("io_timeouts.idle"));
    }
  }

  @Test
  void timeoutMayBeLongerThanTheListenersOwn() throws Exception {
    try (IntakeServer server =
            IntakeServer.with().idleTimeout(LONG).listenersReadTimeout(TIMEOUT).start();
        RawConnection used = RawConnection.to(server.address());
        RawConnection unused = RawConnection.to(server.address())) {
      assertServed(used);
      assertTrue(unused.isEnded(), "the listener closes it");
      assertTrue(used.isSilentFor(TIMEOUT));
      assertServed(used);
      assertEquals(0, server.count("io_timeouts.idle"));
    }
  }
}
