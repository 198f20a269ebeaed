package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.rendezvous.FakeRendezvousService.Waiter;
import org.svcmailbox.test.net.RawConnection;

/** Waiting GETs, and clients that disconnect. */
@Isolated("a stalled client is cut after five seconds")
class WaitingTest {
  private static final String WAIT = TestServer.request("GET", TestServer.PATH + "?wait_ms=30000");

  /** More than two sockets buffer. */
  private static final int LARGE = 16 << 20;

  private static GetOutcome found(TestServer server, int size) {
    return new GetOutcome.Found(server.service.handover(new byte[size], 9, 2));
  }

  @Test
  void aWaiterReceivesTheNextMessage() throws Exception {
    try (TestServer server = TestServer.open();
        RawConnection client = server.connect()) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, 3));
      RawConnection.Response response = client.receive().expect(200);
      assertEquals("9", response.header("x-message-sequence"));
      assertEquals("2", response.header("x-queue-length"));
      assertEquals("written", server.settled());
      assertFalse(server.waiter().isAbandoned());
    }
  }

  @Test
  void aWaiterThatHangsUpIsForgottenAtOnce() throws Exception {
    try (TestServer server = TestServer.open();
        RawConnection client = server.connect()) {
      client.send(WAIT);
      Waiter waiter = server.waiter();
      client.hangUp();
      TestServer.await(waiter::isAbandoned, "the end of the wait");
      waiter.receiver().accept(found(server, 3));
      assertEquals("failed", server.settled());
    }
  }

  @Test
  void aWaiterWithABodyThatHangsUpIsForgottenToo() throws Exception {
    String head =
        TestServer.request("GET", TestServer.PATH + "?wait_ms=30000", "Transfer-Encoding: chunked");
    try (TestServer server = TestServer.open();
        RawConnection client = server.connect()) {
      client.send(head + RawConnection.chunk("abc") + "0\r\n\r\n");
      Waiter waiter = server.waiter();
      client.hangUp();
      TestServer.await(waiter::isAbandoned, "the end of the wait");
    }
  }

  /** The disconnect watch has ended by then, so only the write can notice. */
  @Test
  void aMessageIsNotWrittenWhileTheClientTakesNothing() throws Exception {
    try (TestServer server = TestServer.narrow();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, LARGE));
      client.bytes(1_000);
      assertEquals(List.of(), server.service.settled);
      // The server cut the connection.
      assertEquals("failed", server.settled());
    }
  }

  @Test
  void aMessageFailsWhenTheClientResetsInTheMiddle() throws Exception {
    try (TestServer server = TestServer.narrow();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, LARGE));
      client.bytes(1_000);
      client.reset();
      assertEquals("failed", server.settled());
    }
  }

  @Test
  void aMessageThatTheClientTakesSlowlyIsWrittenAtItsEnd() throws Exception {
    try (TestServer server = TestServer.narrow();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, LARGE));
      client.bytes(LARGE);
      assertEquals("written", server.settled());
      assertEquals(List.of("GET 200"), server.service.responses);
    }
  }

  @Test
  void whereTheServerReportsNothingTheStreamDecides() throws Exception {
    try (TestServer server = TestServer.elsewhere();
        RawConnection client = RawConnection.narrow(server.address())) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, LARGE));
      client.bytes(1_000);
      assertEquals(List.of(), server.service.settled);
      client.reset();
      assertEquals("failed", server.settled());
    }
  }

  @Test
  void whereTheServerReportsNothingASmallMessageIsWritten() throws ServletException, IOException {
    try (TestServer server = TestServer.elsewhere();
        RawConnection client = server.connect()) {
      client.send(WAIT);
      server.waiter().receiver().accept(found(server, 3));
      client.receive().expect(200);
      assertEquals("written", server.settled());
    }
  }

  /** A second, pipelined request waits for the first. */
  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (TestServer server = TestServer.open();
        RawConnection client = server.connect()) {
      client.send(WAIT + TestServer.request("GET", TestServer.PATH));
      server.waiter().receiver().accept(found(server, 3));
      client.receive().expect(200);
      client.receive().expect(204);
    }
  }
}
