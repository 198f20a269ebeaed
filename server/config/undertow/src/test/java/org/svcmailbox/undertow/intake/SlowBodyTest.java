package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

@Isolated("it measures how promptly the quick are served")
class SlowBodyTest {
  private static final int MAX_BODY = 100_000;

  private static void assertSeen(String body, Response response) {
    assertEquals(200, response.status());
    assertEquals(DoorServlet.seen(body.getBytes(ISO_8859_1)), response.body());
  }

  @Test
  void bodiesThatTrickleHoldNoThread() throws Exception {
    int slow = 200;
    String body = RawConnection.body(1000);
    try (IntakeServer server = IntakeServer.with().start()) {
      List<RawConnection> clients = new ArrayList<>();
      try {
        for (int i = 0; i < slow; i++) {
          // Half of them too large: their rest is thrown away, and that holds no thread either.
          long declared = i % 2 == 0 ? body.length() : 10 * MAX_BODY;
          RawConnection client = RawConnection.to(server.address());
          clients.add(client);
          client.send(
              RawConnection.head("/slow", RawConnection.length(declared)) + body.substring(0, 500));
        }
        server.await("connections", slow);
        for (int i = 1; i < slow; i += 2) {
          assertEquals(413, clients.get(i).receive().status());
        }
        try (RawConnection quick = RawConnection.to(server.address())) {
          long since = System.nanoTime();
          for (int i = 0; i < 100; i++) {
            quick.send(RawConnection.head("/quick", RawConnection.length(body.length())) + body);
            assertSeen(body, quick.receive());
            clients.get(i).send(body.substring(500 + i, 501 + i));
          }
          assertTrue(System.nanoTime() - since < 2_000_000_000L, "not prompt");
        }
        for (int i = 0; i < slow; i += 2) {
          String sent = i < 100 ? body.substring(0, 500) + body.charAt(500 + i) : "";
          sent = sent.isEmpty() ? body.substring(0, 500) : sent;
          String rest = body.substring(sent.length());
          clients.get(i).send(rest);
          assertSeen(sent + rest, clients.get(i).receive());
        }
        assertEquals(0, server.count("io_timeouts.read"));
      } finally {
        for (RawConnection client : clients) {
          client.hangUp();
        }
      }
      server.await("connections", 0);
      server.await("body_bytes", 0);
    }
  }

  @Test
  void requestMayBeCutAnywhere() throws Exception {
    String body = "whole body";
    String request = RawConnection.head("/", RawConnection.length(body.length())) + body;
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int cut = 1; cut < request.length(); cut++) {
        client.send(request.substring(0, cut));
        server.await("body_bytes", cut >= request.length() - body.length() ? body.length() + 1 : 0);
        client.send(request.substring(cut));
        assertSeen(body, client.receive());
      }
      server.await("body_bytes", 0);
      assertEquals(1, server.count("connections"));
    }
  }

  @Test
  void bodyOfEverySizeUpToTheLargestArrives() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxBody(MAX_BODY).start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int size : List.of(1, 4095, 4096, 4097, 16_384, 16_385, 70_000, MAX_BODY)) {
        String body = RawConnection.body(size);
        client.send(RawConnection.head("/", RawConnection.length(size))).send(body);
        assertSeen(body, client.receive());
        client.send(RawConnection.head("/", "Transfer-Encoding: chunked"));
        client.send(RawConnection.chunk(body)).send("0\r\n\r\n");
        assertSeen(body, client.receive());
      }
      client.send(RawConnection.head("/", "Transfer-Encoding: chunked")).send("0\r\n\r\n");
      assertSeen("", client.receive());
      server.await("body_bytes", 0);
    }
  }

  @Test
  void chunksThatTrickleArriveAsOneBody() throws Exception {
    String body = RawConnection.body(3000);
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", "Transfer-Encoding: chunked"));
      for (int i = 0; i < body.length(); i += 500) {
        client.send(RawConnection.chunk(body.substring(i, i + 500)));
      }
      server.await("body_bytes", 4096);
      assertEquals(0, server.door().mostInside());
      client.send("0\r\n\r\n");
      assertSeen(body, client.receive());
    }
  }

  @Test
  void largestBodyIsNotServedBeforeItHasEnded() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxBody(MAX_BODY).start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", "Transfer-Encoding: chunked"));
      client.send(RawConnection.chunk(RawConnection.body(MAX_BODY)));
      server.await("body_bytes", MAX_BODY + 1);
      client.hangUp();
      server.await("connections", 0);
      assertEquals(0, server.door().mostInside());
    }
  }

  @Test
  void bodyThatDeclaresTooMuchIsTheApplicationsToRefuse() throws Exception {
    String body = RawConnection.body(MAX_BODY + 1);
    try (IntakeServer server = IntakeServer.with().maxBody(MAX_BODY).start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", RawConnection.length(body.length())));
      Response response = client.receive();
      assertEquals(413, response.status());
      assertEquals("declared", response.body());
      assertEquals(0, server.count("body_bytes"));
      // The rest is thrown away, and the connection goes on.
      client.send(body + RawConnection.get("/"));
      assertEquals(200, client.receive().status());
    }
  }

  @Test
  void chunkedBodyIsReadToTheLimitAndIsTheApplicationsToRefuse() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxBody(MAX_BODY).start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", "Transfer-Encoding: chunked"));
      client.send(RawConnection.chunk(RawConnection.body(MAX_BODY + 1)));
      Response response = client.receive();
      assertEquals(413, response.status());
      assertEquals("read", response.body());
      client.send(
          RawConnection.chunk(RawConnection.body(5000)) + "0\r\n\r\n" + RawConnection.get("/"));
      assertEquals(200, client.receive().status());
      server.await("body_bytes", 0);
    }
  }

  @Test
  void clientThatWaitsToBeToldToContinueIsTold() throws Exception {
    String body = RawConnection.body(50_000);
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int i = 0; i < 3; i++) {
        client.send(
            RawConnection.head("/", RawConnection.length(body.length()), "Expect: 100-continue"));
        assertEquals(100, client.receive().status());
        assertEquals(i == 0 ? 0 : 1, server.door().mostInside());
        client.send(body);
        assertSeen(body, client.receive());
      }
    }
  }

  @Test
  void clientIsNotToldToContinueWithWhatIsTooLarge() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxBody(MAX_BODY).start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(
          RawConnection.head("/", RawConnection.length(MAX_BODY + 1), "Expect: 100-continue"));
      assertEquals(413, client.receive().status());
      assertTrue(client.isEnded());
    }
  }

  @Test
  void requestPipelinedBehindASlowBodyIsServedAfterIt() throws Exception {
    String body = RawConnection.body(1000);
    String next = RawConnection.head("/", RawConnection.length(4)) + "next";
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int split = 0; split <= next.length(); split += 7) {
        client.send(
            RawConnection.head("/", RawConnection.length(body.length())) + body.substring(0, 10));
        server.await("body_bytes", body.length() + 1);
        client.send(body.substring(10) + next.substring(0, split));
        assertSeen(body, client.receive());
        client.send(next.substring(split));
        assertSeen("next", client.receive());

        client.send(RawConnection.head("/", "Transfer-Encoding: chunked") + "3");
        server.await("body_bytes", 4096);
        client.send("\r\nabc\r\n0\r\n\r\n" + next.substring(0, split));
        assertSeen("abc", client.receive());
        client.send(next.substring(split));
        assertSeen("next", client.receive());
      }
    }
  }

  @Test
  void clientThatHangsUpInTheMiddleLeavesNothingBehind() throws Exception {
    String body = RawConnection.body(20_000);
    try (IntakeServer server = IntakeServer.with().start()) {
      for (String framing : List.of(RawConnection.length(MAX_BODY), "Transfer-Encoding: chunked")) {
        for (boolean isReset : List.of(true, false)) {
          RawConnection client = RawConnection.to(server.address());
          String start = framing.startsWith("T") ? RawConnection.chunk(body) : body;
          client.send(RawConnection.head("/", framing) + start);
          server.await("body_bytes", 32 << 10);
          if (isReset) {
            client.reset();
          } else {
            client.hangUp();
          }
          server.await("body_bytes", 0);
          server.await("connections", 0);
        }
      }
      assertEquals(0, server.door().mostInside());
      assertEquals(0, server.count("io_timeouts.read"));
    }
  }
}
