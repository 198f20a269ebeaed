package org.svcmailbox.undertow.disconnect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.undertow.disconnect.WaitingServlet.Waiting;

@Isolated("it measures how soon a hang-up is noticed")
class DisconnectTest {
  /** It takes a millisecond or so; a machine that is busy with a whole build may need more. */
  private static final long NOTICED_WITHIN_MILLIS = 1000;

  private static void assertNoticed(Waiting waiting) throws Exception {
    waiting.gone().get(NOTICED_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Test
  void clientThatClosesWhileItWaitsIsNoticed() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "a"));
      Waiting waiting = server.nextWaiting();
      assertFalse(waiting.gone().isDone());
      client.hangUp();
      assertNoticed(waiting);
      waiting.answer();
    }
  }

  @Test
  void clientWhoseBodyCameLateIsWatchedAllTheSame() throws Exception {
    String request = RawConnection.post("/wait", "a body that is read before the servlet is asked");
    try (TestServer server = TestServer.start()) {
      for (int cut = request.indexOf("\r\n\r\n"); cut < request.length(); cut++) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(request.substring(0, cut));
          client.send(request.substring(cut));
          Waiting waiting = server.nextWaiting();
          client.hangUp();
          assertNoticed(waiting);
          waiting.answer();
        }
      }
    }
  }

  @Test
  void clientThatResetsWhileItWaitsIsNoticed() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "a"));
      Waiting waiting = server.nextWaiting();
      client.reset();
      assertNoticed(waiting);
      waiting.answer();
    }
  }

  @Test
  void clientThatHasGoneBeforeTheWatchBeganIsNoticed() throws Exception {
    try (TestServer server = TestServer.start()) {
      for (int i = 0; i < 50; i++) {
        RawConnection client = RawConnection.to(server.address());
        client.send(RawConnection.post("/wait", "a"));
        client.hangUp();
        Waiting waiting = server.nextWaiting();
        waiting.gone().get(10, TimeUnit.SECONDS);
        waiting.answer();
      }
    }
  }

  @Test
  void connectionServesFurtherRequestsAfterAWait() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      for (int i = 0; i < 100; i++) {
        client.send(RawConnection.post("/wait", "request " + i));
        Waiting waiting = server.nextWaiting();
        waiting.answer();
        assertEquals("request " + i, client.receive().expect(200).body());
        assertFalse(waiting.gone().isDone());
      }
    }
  }

  @Test
  void requestThatIsPipelinedDuringAWaitIsServedAfterIt() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "first"));
      Waiting first = server.nextWaiting();
      client.send(RawConnection.post("/wait", "second") + RawConnection.post("/wait", "third"));
      first.answer();
      assertEquals("first", client.receive().expect(200).body());
      server.nextWaiting().answer();
      assertEquals("second", client.receive().expect(200).body());
      server.nextWaiting().answer();
      assertEquals("third", client.receive().expect(200).body());
      assertFalse(first.gone().isDone());
    }
  }

  @Test
  void requestsThatArrivePipelinedAreServedInOrder() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "first") + RawConnection.post("/wait", "second"));
      Waiting first = server.nextWaiting();
      assertTrue(server.isQuiet());
      first.answer();
      assertEquals("first", client.receive().expect(200).body());
      server.nextWaiting().answer();
      assertEquals("second", client.receive().expect(200).body());
    }
  }

  @Test
  void requestThatBeginsDuringAWaitAndEndsAfterItIsServed() throws Exception {
    String next = RawConnection.post("/wait", "next");
    try (TestServer server = TestServer.start()) {
      for (int cut = 1; cut < next.length(); cut++) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(RawConnection.post("/wait", "first"));
          Waiting first = server.nextWaiting();
          client.send(next.substring(0, cut));
          first.answer();
          assertEquals("first", client.receive().expect(200).body());
          client.send(next.substring(cut));
          server.nextWaiting().answer();
          assertEquals("next", client.receive().expect(200).body());
        }
      }
    }
  }

  @Test
  void clientThatClosesAfterItsAnswerIsNotReported() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "a"));
      Waiting waiting = server.nextWaiting();
      waiting.answer();
      client.receive().expect(200);
      client.send("GET /at-once HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertEquals("at once", client.receive().expect(200).body());
      client.hangUp();
      assertFalse(waiting.gone().isDone());
    }
  }

  @Test
  void readTimeoutDoesNotEndAWait() throws Exception {
    Duration readTimeout = Duration.ofMillis(200);
    try (TestServer server = TestServer.start(readTimeout);
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.post("/wait", "a"));
      Waiting waiting = server.nextWaiting();
      CompletableFuture<Void> farPastTheTimeout =
          new CompletableFuture<Void>()
              .completeOnTimeout(null, 5 * readTimeout.toMillis(), TimeUnit.MILLISECONDS);
      CompletableFuture.anyOf(farPastTheTimeout, waiting.gone()).join();
      assertFalse(waiting.gone().isDone());
      waiting.answer();
      assertEquals("a", client.receive().expect(200).body());
    }
  }

  @Test
  void http2IsServedAsEver() throws Exception {
    try (TestServer server = TestServer.start()) {
      HttpClient client = HttpClient.newHttpClient();
      for (String body : List.of("upgrade", "a")) {
        CompletableFuture<HttpResponse<String>> response =
            client.sendAsync(request(server, body), BodyHandlers.ofString());
        server.nextWaiting().answer();
        assertEquals(body, response.get(10, TimeUnit.SECONDS).body());
        assertEquals(HttpClient.Version.HTTP_2, response.join().version());
      }
    }
  }

  private static HttpRequest request(TestServer server, String body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.address().getPort() + "/wait"))
        .POST(BodyPublishers.ofString(body))
        .build();
  }
}
