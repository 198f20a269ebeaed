package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

class ConnectionLimitTest {
  private static final String PATH = "/v1/\"topic";

  @Test
  void connectionOverTheLimitIsRefusedUntilAnotherEnds() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(2).start();
        RawConnection first = RawConnection.to(server.address());
        RawConnection second = RawConnection.to(server.address());
        RawConnection third = RawConnection.to(server.address())) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertEquals(200, second.send(RawConnection.get("/")).receive().status());
      assertEquals(200, second.send(RawConnection.get("/")).receive().status());
      assertEquals(2, server.count("connections"));

      assertEquals(503, third.send(RawConnection.get("/")).receive().status());
      assertTrue(third.isEnded());
      assertEquals(1, server.count("rejected.max_conns"));
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());

      second.hangUp();
      server.await("connections", 1);
      try (RawConnection fourth = RawConnection.to(server.address())) {
        assertEquals(200, fourth.send(RawConnection.get("/")).receive().status());
        assertEquals(2, server.count("connections"));
      }
      first.reset();
      server.await("connections", 0);
    }
  }

  @Test
  void oneAddressLeavesPlacesForOthers() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(3).perAddress(2).start();
        RawConnection first = from("127.0.0.1", server);
        RawConnection second = from("127.0.0.1", server)) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertEquals(200, second.send(RawConnection.get("/")).receive().status());
      try (RawConnection third = from("127.0.0.1", server)) {
        Response refusal = third.send(RawConnection.get("/")).receive();
        assertEquals(503, refusal.status());
        assertTrue(refusal.body().contains("\"reason\":\"address_conns\""), refusal::body);
        assertTrue(third.isEnded());
      }
      try (RawConnection watcher = from("127.0.0.1", server)) {
        assertEquals(200, watcher.send(RawConnection.get("/readyz")).receive().status());
      }
      try (RawConnection other = from("127.0.0.2", server);
          RawConnection another = from("127.0.0.2", server)) {
        assertEquals(200, other.send(RawConnection.get("/")).receive().status());
        // Beyond max_conns: its address gets back what it took for it.
        assertEquals(503, another.send(RawConnection.get("/")).receive().status());
        first.hangUp();
        server.await("connections", 2);
        try (RawConnection again = from("127.0.0.2", server)) {
          assertEquals(200, again.send(RawConnection.get("/")).receive().status());
        }
      }
      assertEquals(1, server.count("rejected.address_conns"));
      assertEquals(1, server.count("rejected.max_conns"));
    }
  }

  @Test
  void proxyHasAllConnections() throws Exception {
    try (IntakeServer server =
            IntakeServer.with()
                .perAddress(1)
                .exempt(address -> address.getHostAddress().equals("127.0.0.2"))
                .start();
        RawConnection first = from("127.0.0.2", server);
        RawConnection second = from("127.0.0.2", server)) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertEquals(200, second.send(RawConnection.get("/")).receive().status());
      assertEquals(2, server.count("connections"));
    }
  }

  @Test
  void addressesOfOneIpv6NetworkCountTogether() throws Exception {
    Addresses addresses = new Addresses();
    assertTrue(addresses.enter(InetAddress.getByName("2001:db8::1"), 1));
    assertFalse(addresses.enter(InetAddress.getByName("2001:db8::ffff:0:0:1"), 1));
    assertTrue(addresses.enter(InetAddress.getByName("2001:db8:0:1::1"), 1));
    assertTrue(addresses.enter(InetAddress.getByName("10.0.0.1"), 1));
    assertFalse(addresses.enter(InetAddress.getByName("::ffff:10.0.0.1"), 1));
    addresses.leave(InetAddress.getByName("2001:db8::2"));
    assertTrue(addresses.enter(InetAddress.getByName("2001:db8::3"), 1));
  }

  private static RawConnection from(String address, IntakeServer server) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(server.address());
    return RawConnection.over(socket);
  }

  @Test
  void connectionThatWasNotServedDoesNotCount() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(1).start();
        RawConnection silent = RawConnection.to(server.address());
        RawConnection first = RawConnection.to(server.address())) {
      silent.send("POST / HTTP/1.1\r\n");
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertEquals(1, server.count("connections"));
    }
  }

  @Test
  void limitHoldsForAllDeploymentsOfTheServerTogether() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(2).start();
        RawConnection first = RawConnection.to(server.address());
        RawConnection second = RawConnection.to(server.address())) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      assertEquals(200, second.send(RawConnection.get("/console/")).receive().status());
      assertEquals(200, first.send(RawConnection.get("/console/")).receive().status());
      assertEquals(2, server.count("connections"));
      for (String path : List.of("/", "/console/", "/console/metrics")) {
        try (RawConnection third = RawConnection.to(server.address())) {
          assertEquals(503, third.send(RawConnection.get(path)).receive().status(), path);
        }
      }
      assertEquals(3, server.count("rejected.max_conns"));
    }
  }

  @Test
  void refusalSaysWhy() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(0).start();
        RawConnection client = RawConnection.to(server.address())) {
      Response refusal = client.send(RawConnection.get("/v1/%22topic?a=b")).receive();
      assertEquals("1", refusal.header("retry-after"));
      assertEquals("close", refusal.header("connection"));
      assertEquals("application/problem+json", refusal.header("content-type"));
      assertEquals(
          "{\"type\":\"urn:svc-mailbox:problem:E_UNAVAILABLE\","
              + "\"title\":\"The service cannot do this now\",\"status\":503,"
              + "\"detail\":\"too many connections\",\"code\":\"E_UNAVAILABLE\","
              + "\"reason\":\"max_conns\",\"retry_after_ms\":1000,"
              + "\"instance\":\"/v1/%22topic\"}",
          refusal.body());
    }
  }

  @Test
  void refusalStaysJsonWhateverThePath() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(0).start();
        RawConnection client = RawConnection.to(server.address())) {
      Response refusal = client.send(RawConnection.get("/a\\b")).receive();
      // Undertow refuses most of what would have to be escaped itself.
      assertTrue(refusal.status() == 400 || refusal.body().contains("/a\\u005cb"), refusal::body);
    }
  }

  @Test
  void refusedClientMayStillBeSendingItsBody() throws Exception {
    String body = RawConnection.body(90_000);
    try (IntakeServer server = IntakeServer.with().maxConns(0).start()) {
      for (String before : List.of("", body.substring(0, 1000))) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(
              RawConnection.head(PATH.replace("\"", ""), RawConnection.length(body.length()))
                  + before);
          assertEquals(503, client.receive().status());
          client.send(body.substring(before.length()));
          assertTrue(client.isEnded());
        }
      }
      try (RawConnection client = RawConnection.to(server.address())) {
        client.send(RawConnection.head("/", RawConnection.length(10), "Expect: 100-continue"));
        assertEquals(503, client.receive().status());
        assertTrue(client.isEnded());
      }
      assertEquals(0, server.count("body_bytes"));
      assertEquals(0, server.count("io_timeouts.read"));
    }
  }

  @Test
  void whoeverWatchesTheServiceIsServedOverTheLimit() throws Exception {
    try (IntakeServer server = IntakeServer.with().maxConns(1).start();
        RawConnection first = RawConnection.to(server.address())) {
      assertEquals(200, first.send(RawConnection.get("/")).receive().status());
      for (String path : List.of("/healthz", "/readyz", "/metrics", "/readyz?for=reads")) {
        try (RawConnection watcher = RawConnection.to(server.address())) {
          Response response = watcher.send(RawConnection.get(path)).receive();
          assertEquals(200, response.status());
          assertEquals("close", response.header("connection"));
          assertTrue(watcher.isEnded());
        }
      }
      assertEquals(0, server.count("rejected.max_conns"));
      assertEquals(1, server.count("connections"));
    }
  }
}
