package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.net.RawConnection;

@Isolated("it measures when a client is cut")
class DeadlineTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration SLACK = Duration.ofMillis(400);

  private static IntakeServer start() throws Exception {
    return IntakeServer.with().maxBody(1 << 16).readTimeout(TIMEOUT).start();
  }

  /**
   * Sends a byte now and then until the server ends the connection.
   *
   * @param sent when the request was about to leave, so before its time began
   */
  private static void assertCut(RawConnection client, Duration wanted, long sent) {
    long begun = System.nanoTime();
    try {
      while (System.nanoTime() - begun < 20_000_000_000L) {
        client.send("x");
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (IOException e) {
      long cut = System.nanoTime();
      assertNotEarly(wanted, Duration.ofNanos(cut - sent));
      assertNotLate(wanted, Duration.ofNanos(cut - begun));
      return;
    }
    throw new AssertionError("not cut");
  }

  private static void assertNotEarly(Duration wanted, Duration taken) {
    assertTrue(taken.compareTo(wanted) >= 0, () -> "too early: " + taken);
  }

  private static void assertNotLate(Duration wanted, Duration taken) {
    assertTrue(taken.compareTo(wanted.plus(SLACK)) < 0, () -> "too late: " + taken);
  }

  @Test
  void bodyThatStallsIsCut() throws Exception {
    try (IntakeServer server = start();
        RawConnection client = RawConnection.to(server.address())) {
      long since = System.nanoTime();
      client.send(RawConnection.head("/", RawConnection.length(1 << 16)) + "begin");
      assertTrue(client.isEnded());
      Duration taken = Duration.ofNanos(System.nanoTime() - since);
      assertNotEarly(TIMEOUT, taken);
      assertNotLate(TIMEOUT, taken);
      assertEquals(1, server.count("io_timeouts.read"));
      server.await("body_bytes", 0);
      server.await("connections", 0);
    }
  }

  @Test
  void bodyThatTricklesIsCutWhenItsTimeIsUp() throws Exception {
    try (IntakeServer server = start();
        RawConnection client = RawConnection.to(server.address())) {
      long since = System.nanoTime();
      client.send(RawConnection.head("/", RawConnection.length(1 << 15)));
      // 32 KiB at 64 KiB/s, after the timeout.
      assertCut(client, TIMEOUT.plusMillis(500), since);
      assertEquals(1, server.count("io_timeouts.read"));
      server.await("body_bytes", 0);
      server.await("connections", 0);
    }
  }

  @Test
  void undeclaredBodyThatTricklesHasTheTimeOfTheLargest() throws Exception {
    try (IntakeServer server = start();
        RawConnection client = RawConnection.to(server.address())) {
      long since = System.nanoTime();
      client.send(RawConnection.head("/", "Transfer-Encoding: chunked") + "8000\r\n");
      assertCut(client, TIMEOUT.plusMillis(1000), since);
      assertEquals(1, server.count("io_timeouts.read"));
    }
  }

  @Test
  void restThatIsThrownAwayHasADeadlineToo() throws Exception {
    try (IntakeServer server = start();
        RawConnection declared = RawConnection.to(server.address());
        RawConnection chunked = RawConnection.to(server.address());
        RawConnection stalled = RawConnection.to(server.address())) {
      long since = System.nanoTime();
      declared.send(RawConnection.head("/", RawConnection.length(1L << 40)));
      assertEquals(413, declared.receive().status());
      assertCut(declared, TIMEOUT.plusMillis(1000), since);
      since = System.nanoTime();
      chunked.send(RawConnection.head("/", "Transfer-Encoding: chunked") + "1000000\r\n");
      chunked.send(RawConnection.body((1 << 16) + 1));
      assertEquals(413, chunked.receive().status());
      assertCut(chunked, TIMEOUT.plusMillis(1000), since);
      stalled.send(RawConnection.head("/", RawConnection.length(1L << 40)));
      assertEquals(413, stalled.receive().status());
      assertTrue(stalled.isEnded());
      assertEquals(3, server.count("io_timeouts.read"));
      server.await("connections", 0);
      server.await("body_bytes", 0);
    }
  }

  @Test
  void refusedClientHasTheSameDeadline() throws Exception {
    try (IntakeServer server =
            IntakeServer.with().maxConns(0).maxBody(1 << 16).readTimeout(TIMEOUT).start();
        RawConnection client = RawConnection.to(server.address())) {
      long since = System.nanoTime();
      client.send(RawConnection.head("/", RawConnection.length(1 << 15)));
      assertEquals(503, client.receive().status());
      assertCut(client, TIMEOUT.plusMillis(500), since);
      assertEquals(1, server.count("io_timeouts.read"));
    }
  }

  @Test
  void bodyInTimeIsNotCutAfterwards() throws Exception {
    try (IntakeServer server = start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int i = 0; i < 3; i++) {
        client.send(RawConnection.head("/", RawConnection.length(2)) + "a");
        LockSupport.parkNanos(TIMEOUT.toNanos() / 2);
        client.send("b");
        assertEquals(200, client.receive().status());
      }
      assertEquals(0, server.count("io_timeouts.read"));
    }
  }

  @Test
  void deadlineIsForTheBodyAndNotForTheAnswer() throws Exception {
    try (IntakeServer server = start();
        RawConnection slow = RawConnection.to(server.address());
        RawConnection tooLarge = RawConnection.to(server.address())) {
      slow.send(RawConnection.head("/?wait=unread", RawConnection.length(2)) + "a");
      server.await("body_bytes", 3);
      slow.send("b");
      tooLarge.send(RawConnection.head("/?wait=unread", "Transfer-Encoding: chunked"));
      tooLarge.send(RawConnection.chunk(RawConnection.body((1 << 16) + 1)));
      server.door().awaitArrival();
      server.door().awaitArrival();
      LockSupport.parkNanos(2 * TIMEOUT.toNanos());
      server.door().letGo();
      server.door().letGo();
      assertEquals(200, slow.receive().status());
      assertEquals(413, tooLarge.receive().status());
      assertEquals(0, server.count("io_timeouts.read"));
    }
  }
}
