package org.svcmailbox.undertow.disconnect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.undertow.disconnect.WaitingServlet.Waiting;

/** A client is watched until the end of an answer that lasts. */
class LastingAnswerTest {
  private static final String REQUEST = RawConnection.post(WaitingServlet.LASTING, "a");
  private static final String NEXT = RawConnection.post("/wait", "next");

  /** Reads the head and the first chunk. */
  private static void readBegun(RawConnection client, String text) throws IOException {
    while (!client.line().isEmpty()) {
      // The next header.
    }
    readChunk(client, text);
  }

  private static void readChunk(RawConnection client, String text) throws IOException {
    assertEquals(text.length(), Integer.parseInt(client.line(), 16));
    assertEquals(text, client.line());
  }

  @Test
  void clientThatClosesDuringTheAnswerIsNoticed() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(REQUEST);
      Waiting waiting = server.nextWaiting();
      waiting.begin("begun");
      readBegun(client, "begun");
      assertFalse(waiting.gone().isDone());
      client.hangUp();
      waiting.gone().get(10, TimeUnit.SECONDS);
      waiting.hangUp().complete(null);
      waiting.context().complete();
    }
  }

  @Test
  void answerThatBeginsAtOnceIsWatchedToo() throws Exception {
    try (TestServer server = TestServer.start()) {
      for (int i = 0; i < 50; i++) {
        RawConnection client = RawConnection.to(server.address());
        client.send(REQUEST);
        Waiting waiting = server.nextWaiting();
        waiting.begin("begun");
        client.hangUp();
        waiting.gone().get(10, TimeUnit.SECONDS);
        waiting.context().complete();
      }
    }
  }

  @Test
  void requestThatBeginsDuringTheAnswerIsServedAfterIt() throws Exception {
    try (TestServer server = TestServer.start()) {
      for (int cut = 1; cut < NEXT.length(); cut++) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(REQUEST);
          Waiting first = server.nextWaiting();
          first.begin("begun");
          readBegun(client, "begun");
          client.send(NEXT.substring(0, cut));
          first.begin("more");
          readChunk(client, "more");
          first.context().complete();
          assertEquals("0", client.line());
          assertEquals("", client.line());
          client.send(NEXT.substring(cut));
          server.nextWaiting().answer();
          assertEquals("next", client.receive().expect(200).body());
          assertFalse(first.gone().isDone());
        }
      }
    }
  }

  @Test
  void connectionServesFurtherRequestsAfterTheAnswer() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int i = 0; i < 50; i++) {
        client.send(REQUEST);
        Waiting lasting = server.nextWaiting();
        lasting.begin("begun");
        readBegun(client, "begun");
        lasting.context().complete();
        assertEquals("0", client.line());
        assertEquals("", client.line());
        client.send(NEXT);
        server.nextWaiting().answer();
        assertEquals("next", client.receive().expect(200).body());
        assertFalse(lasting.gone().isDone());
      }
    }
  }

  @Test
  void applicationEndsTheConnectionAtOnce() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(REQUEST);
      Waiting waiting = server.nextWaiting();
      waiting.begin("begun");
      readBegun(client, "begun");
      waiting.hangUp().complete(null);
      assertTrue(client.isEnded());
      waiting.context().complete();
    }
  }

  @Test
  void demandBehindTheAnswerEndsNothing() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(REQUEST);
      Waiting lasting = server.nextWaiting();
      lasting.begin("begun");
      readBegun(client, "begun");
      lasting.context().complete();
      assertEquals("0", client.line());
      assertEquals("", client.line());
      client.send(NEXT);
      // Its arrival shows that the answer before it has ended: the client may see the end earlier.
      Waiting next = server.nextWaiting();
      lasting.hangUp().complete(null);
      next.answer();
      assertEquals("next", client.receive().expect(200).body());
    }
  }

  @Test
  void readTimeoutDoesNotEndTheAnswer() throws Exception {
    try (TestServer server = TestServer.start(Duration.ofMillis(200));
        RawConnection client = RawConnection.to(server.address())) {
      client.send(REQUEST);
      Waiting waiting = server.nextWaiting();
      waiting.begin("begun");
      readBegun(client, "begun");
      assertTrue(client.isSilentFor(Duration.ofSeconds(1)));
      waiting.begin("more");
      readChunk(client, "more");
      waiting.context().complete();
    }
  }
}
