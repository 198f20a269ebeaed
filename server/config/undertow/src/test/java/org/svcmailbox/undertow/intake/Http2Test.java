package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.undertow.intake.Http2Wire.Frame;

class Http2Test {
  private static final int WINDOW = 65_535;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String BODY = RawConnection.body(3000);

  private static HttpResponse<String> post(HttpClient client, IntakeServer server, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.address().getPort() + "/"))
            .POST(BodyPublishers.ofString(body))
            .timeout(Duration.ofSeconds(10))
            .build(),
        BodyHandlers.ofString());
  }

  private static String seen(String body) {
    return DoorServlet.seen(body.getBytes(ISO_8859_1));
  }

  @Test
  void bodiesArriveUpgradedOrNot() throws Exception {
    try (IntakeServer server = IntakeServer.with().start()) {
      HttpClient client = HttpClient.newHttpClient();
      for (String body : List.of(BODY, "", RawConnection.body(90_000), "a")) {
        HttpResponse<String> response = post(client, server, body);
        assertEquals(seen(body), response.body());
        assertEquals(HttpClient.Version.HTTP_2, response.version());
      }
      assertEquals(1, server.count("connections"));
      server.await("body_bytes", 0);
    }
  }

  @Test
  void bodyThatIsTooLargeIsTheApplicationsToRefuse() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxBody(1000).start()) {
      HttpClient client = HttpClient.newHttpClient();
      assertEquals(200, post(client, server, "upgrade").statusCode());
      assertEquals(413, post(client, server, BODY).statusCode());
      assertEquals(seen("next"), post(client, server, "next").body());
      server.await("body_bytes", 0);
    }
  }

  @Test
  void streamsOfOneConnectionTakeOnePlace() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(1).start();
        Http2Wire client = new Http2Wire(server, WINDOW)) {
      int slow = client.request(true, "/", false);
      client.data(slow, BODY.substring(0, 1000), false);
      server.await("body_bytes", 4096);
      int quick = client.request(false, "/", true);
      assertEquals(seen(""), client.answer(quick));
      assertEquals(1, server.count("connections"));
      client.data(slow, BODY.substring(1000), true);
      assertEquals(seen(BODY), client.answer(slow));
      client.hangUp();
      server.await("connections", 0);
      server.await("body_bytes", 0);
    }
  }

  @Test
  void streamOverTheLimitIsRefusedUntilAPlaceIsFree() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(1).start();
        RawConnection first = RawConnection.to(server.address());
        Http2Wire second = new Http2Wire(server, WINDOW)) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertFalse(second.receive(second.request(false, "/", true)).isOk());
      // The answer does not wait for the body.
      assertFalse(second.receive(second.request(true, "/", false)).isOk());
      assertEquals(2, server.count("rejected.max_conns"));
      first.hangUp();
      server.await("connections", 0);
      assertEquals(seen(""), second.answer(second.request(false, "/", true)));
    }
  }

  @Test
  void streamThatIsResetInTheMiddleLeavesNothingBehind() throws Exception {
    try (IntakeServer server = IntakeServer.with().start();
        Http2Wire client = new Http2Wire(server, WINDOW)) {
      int reset = client.request(true, "/", false);
      client.data(reset, BODY, false);
      server.await("body_bytes", 4096);
      client.resetStream(reset);
      server.await("body_bytes", 0);
      assertEquals(0, server.count("io_timeouts.read"));
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
      int cut = client.request(true, "/", false);
      client.data(cut, BODY, false);
      server.await("body_bytes", 4096);
      client.hangUp();
      server.await("body_bytes", 0);
      server.await("connections", 0);
      assertEquals(0, server.count("io_timeouts.read"));
    }
  }

  @Test
  void streamThatIsResetWhileItIsServedLeavesNothingBehind() throws Exception {
    try (IntakeServer server = IntakeServer.with().start();
        Http2Wire client = new Http2Wire(server, WINDOW)) {
      for (String path : List.of("/?wait=read", "/?wait=unread")) {
        int reset = client.request(true, path, false);
        client.data(reset, BODY, false);
        server.await("body_bytes", 4096);
        client.data(reset, BODY, true);
        server.door().awaitArrival();
        client.resetStream(reset);
        assertEquals(seen(""), client.answer(client.request(false, "/", true)));
        server.door().letGo();
        server.await("body_bytes", 0);
      }
    }
  }

  @Test
  void streamWhoseBodyStallsIsReset() throws Exception {
    try (IntakeServer server = IntakeServer.with().readTimeout(SHORT).start();
        Http2Wire client = new Http2Wire(server, WINDOW)) {
      int stalled = client.request(true, "/", false);
      client.data(stalled, BODY, false);
      assertEquals(Http2Wire.RST_STREAM, client.receive(stalled).type());
      assertEquals(1, server.count("io_timeouts.read"));
      server.await("body_bytes", 0);
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
    }
  }

  @Test
  void streamWhoseAnswerIsNotTakenIsReset() throws Exception {
    try (IntakeServer server = IntakeServer.with().writeTimeout(SHORT).start();
        Http2Wire client = new Http2Wire(server, 1000)) {
      int stalled = client.request(false, "/?answer=100000", true);
      Frame frame = client.receive(stalled);
      while (frame.type() != Http2Wire.RST_STREAM) {
        frame = client.receive(stalled);
      }
      assertEquals(1, server.count("io_timeouts.write"));
      assertEquals(seen(""), client.answer(client.request(false, "/", true)));
    }
  }
}
