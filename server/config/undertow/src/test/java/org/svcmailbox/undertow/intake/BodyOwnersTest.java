package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

class BodyOwnersTest {
  private static final int MAX_BODY = 1 << 20;
  private static final int MANY = 77;
  private static final String GOOD = "Authorization: Bearer good";
  private static final String EXPECT = "Expect: 100-continue";
  private static final String CHUNKED = "Transfer-Encoding: chunked";

  private final AtomicInteger searches = new AtomicInteger();

  private static @Nullable String known(String path, @Nullable String header) {
    return header != null && header.startsWith("Bearer good") ? header : null;
  }

  private @Nullable String find(String path, @Nullable String header) {
    searches.incrementAndGet();
    if (header == null || header.endsWith("forged")) {
      return null;
    }
    if (header.endsWith("unknown")) {
      throw new IllegalStateException("the database is away");
    }
    return header.endsWith("ended") ? "" : header;
  }

  private IntakeServer server() throws ServletException {
    return IntakeServer.with().maxBody(MAX_BODY).owners(BodyOwnersTest::known, this::find).start();
  }

  private static void assertSeen(String body, Response response) {
    assertEquals(200, response.status());
    assertEquals(DoorServlet.seen(body.getBytes(ISO_8859_1)), response.body());
  }

  @Test
  void strangersHoldNoMemoryForBodies() throws Exception {
    String body = RawConnection.body(MAX_BODY);
    List<RawConnection> strangers = new ArrayList<>();
    try (IntakeServer server = server();
        RawConnection owner = RawConnection.to(server.address())) {
      for (int i = 0; i < MANY; i++) {
        RawConnection stranger = RawConnection.to(server.address());
        strangers.add(stranger);
        String framing = i % 2 == 0 ? RawConnection.length(MAX_BODY) : CHUNKED;
        String token = i % 3 == 0 ? "Accept: */*" : "Authorization: Bearer forged";
        stranger.send(RawConnection.head("/", framing, token));
        stranger.send(i % 2 == 0 ? body.substring(1) : RawConnection.chunk(body));
        assertEquals(401, stranger.receive().status());
        assertEquals(0, server.count("body_bytes"));
      }
      owner.send(RawConnection.head("/", RawConnection.length(MAX_BODY), GOOD)).send(body);
      assertSeen(body, owner.receive());
      assertEquals(MANY, searches.get());
    } finally {
      for (RawConnection stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void connectionOfARefusedHeadGoesOnAfterTheBody() throws Exception {
    try (IntakeServer server = server();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", RawConnection.length(4)));
      assertEquals(401, client.receive().status());
      client.send("body" + RawConnection.head("/", RawConnection.length(4), GOOD) + "next");
      assertSeen("next", client.receive());
    }
  }

  @Test
  void onlyAnOwnerIsToldToContinue() throws Exception {
    String body = RawConnection.body(50_000);
    String length = RawConnection.length(body.length());
    try (IntakeServer server = server()) {
      for (String framing : List.of(length, CHUNKED)) {
        try (RawConnection stranger = RawConnection.to(server.address())) {
          stranger.send(RawConnection.head("/", framing, EXPECT));
          assertEquals(401, stranger.receive().status());
          assertTrue(stranger.isEnded());
        }
      }
      try (RawConnection owner = RawConnection.to(server.address())) {
        owner.send(RawConnection.head("/", length, EXPECT, GOOD));
        assertEquals(100, owner.receive().status());
        owner.send(body);
        assertSeen(body, owner.receive());
        owner.send(RawConnection.head("/", RawConnection.length(MAX_BODY + 1), EXPECT, GOOD));
        assertEquals(413, owner.receive().status());
      }
    }
  }

  @Test
  void ownerThatIsNotKnownIsLookedFor() throws Exception {
    String body = RawConnection.body(50_000);
    try (IntakeServer server = server();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(
          RawConnection.head(
              "/", RawConnection.length(body.length()), "Authorization: Bearer late"));
      client.send(body);
      assertSeen(body, client.receive());
      assertEquals(1, searches.get());
    }
  }

  @Test
  void ownerThatCannotBeLookedForIsRefusedForNow() throws Exception {
    try (IntakeServer server = server();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(
          RawConnection.head("/", RawConnection.length(4), "Authorization: Bearer unknown"));
      Response refusal = client.receive();
      assertEquals(503, refusal.status());
      assertTrue(refusal.body().contains("\"reason\":\"unverified\""), refusal::body);
      assertEquals(0, server.door().mostInside());
    }
  }

  @Test
  void streamIsRefusedForItsHead() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = new Http2Wire(server, MAX_BODY)) {
      int stream = client.request(true, "/", false);
      assertFalse(client.receive(stream).isOk());
      assertEquals(0, server.count("body_bytes"));
      assertEquals(1, searches.get());
    }
  }

  @Test
  void bodiesOfAnyoneLeaveRoomForOwners() throws Exception {
    String body = RawConnection.body(MAX_BODY);
    List<RawConnection> others = new ArrayList<>();
    try (IntakeServer server = server();
        RawConnection owner = RawConnection.to(server.address())) {
      int refused = 0;
      for (int i = 0; i < MANY; i++) {
        RawConnection other = RawConnection.to(server.address());
        others.add(other);
        String path = i % 2 == 0 ? "/" : "/console/";
        other.send(
            RawConnection.head(
                path, RawConnection.length(MAX_BODY), "Authorization: Bearer ended"));
        other.send(body.substring(1));
      }
      long most = 2 * BodyBudget.OF_ANYONE;
      while (server.count("rejected.body_bytes") == 0) {
        Thread.onSpinWait();
      }
      assertTrue(server.count("body_bytes") <= most);
      owner.send(RawConnection.head("/", RawConnection.length(MAX_BODY), GOOD)).send(body);
      assertSeen(body, owner.receive());
      assertEquals(0, refused);
    } finally {
      for (RawConnection other : others) {
        other.close();
      }
    }
  }
}
