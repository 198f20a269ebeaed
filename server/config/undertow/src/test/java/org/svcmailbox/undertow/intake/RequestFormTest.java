package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** Requests that no part of the server can read get a problem, and reach none. */
class RequestFormTest {
  private static final String HOST = " HTTP/1.1\r\nHost: evil.example\r\n";

  private static final List<String> BAD_TARGETS =
      List.of(
          "CONNECT evil.example:80",
          "CONNECT /v1/send",
          "GET *",
          "GET healthz",
          "POST v1/send",
          "GET ?",
          "GET ?a=b",
          "GET ftp://evil.example/",
          "GET evil.example:80",
          "GET /v1/%2e%2e/metrics",
          "GET /v1/%2E./metrics",
          "GET /v1/.%2e",
          "GET /v1/../metrics",
          "GET /v1/./metrics",
          "GET /..",
          "GET /v1/..;a=b/metrics",
          "GET /v1/..%2fmetrics",
          "GET /v1/x%5c..%5Cmetrics",
          "GET http://evil.example/v1/../metrics",
          "GET /v1/topics/%c0%ae",
          "GET /v1/topics/%ed%a0%80",
          "GET /v1/topics/%00",
          "GET /v1/topics/a%0d%0ab",
          "GET /v1/topics?q=%c0%ae");

  private static final List<String> GOOD_TARGETS =
      List.of(
          "GET /",
          "GET /v1/topics/a..b",
          "GET /v1/topics/...",
          "GET /v1/topics/.a",
          "GET /v1/topics/%c3%a4",
          "GET /?q=%c3%a4%20/../",
          "GET http://evil.example/v1/topics",
          "GET HTTPS://evil.example/",
          "DELETE /v1/topics/a%2Fb");

  private static void assertProblem(String reason, Response response) {
    assertEquals(400, response.status());
    assertEquals("application/problem+json", response.header("content-type"));
    assertTrue(response.body().contains("\"reason\":\"" + reason + "\""), response::body);
  }

  @Test
  void targetThatIsNoPathIsRefused() throws Exception {
    try (IntakeServer server = IntakeServer.with().start()) {
      for (String target : BAD_TARGETS) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(target + HOST + "\r\n");
          assertProblem("target", client.receive());
          assertTrue(client.isEnded(), target);
        }
      }
      assertEquals(0, server.door().mostInside());
    }
  }

  @Test
  void otherTargetsAreServed() throws Exception {
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      for (String target : GOOD_TARGETS) {
        assertEquals(200, client.send(target + HOST + "\r\n").receive().status(), target);
      }
    }
  }

  @Test
  void cookiesThatCannotBeReadAreRefused() throws Exception {
    String many = String.join("; ", Collections.nCopies(300, "a=b")) + "; ";
    StringBuilder different = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      different.append("c").append(i).append("=1; ");
    }
    Map<String, Boolean> cookies =
        Map.of(
            "a=b; c=\"d\"",
            true,
            "a=b=c; =; ;;",
            true,
            many,
            true,
            "$Version=x; a=b",
            false,
            different.toString(),
            false);
    try (IntakeServer server = IntakeServer.with().start()) {
      for (Map.Entry<String, Boolean> cookie : cookies.entrySet()) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send("GET /" + HOST + "Cookie: " + cookie.getKey() + "\r\n\r\n");
          Response response = client.receive();
          if (cookie.getValue()) {
            assertEquals(200, response.status(), cookie.getKey());
          } else {
            assertProblem("cookie", response);
          }
        }
      }
    }
  }

  @Test
  void bodyThatEndsEarlyIsRefused() throws Exception {
    try (IntakeServer server = IntakeServer.with().start()) {
      for (boolean isLate : List.of(true, false)) {
        try (RawConnection client = RawConnection.to(server.address())) {
          String head = "POST /" + HOST + RawConnection.length(100) + "\r\n\r\n";
          if (isLate) {
            client.send(head);
            server.await("body_bytes", 101);
          } else {
            client.send(head + "begun");
          }
          client.endOutput();
          assertProblem("truncated", client.receive());
          assertTrue(client.isEnded());
          server.await("body_bytes", 0);
        }
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send("POST /" + HOST + "Transfer-Encoding: chunked\r\n\r\n5\r\nab");
          if (isLate) {
            server.await("body_bytes", 4096);
          }
          client.endOutput();
          assertTrue(client.isEnded());
          server.await("body_bytes", 0);
        }
      }
      assertEquals(0, server.door().mostInside());
      server.await("connections", 0);
    }
  }

  @Test
  void redirectIsNotToTheHostThatTheClientNames() throws Exception {
    try (IntakeServer server = IntakeServer.with().start();
        RawConnection client = RawConnection.to(server.address())) {
      Response response = client.send("GET /console?to=a" + HOST + "\r\n").receive();
      assertEquals(302, response.status());
      assertEquals("/console/?to=a", response.header("location"));
      response = client.send("POST /console" + HOST + "Content-Length: 2\r\n\r\n{}").receive();
      assertEquals("/console/", response.header("location"));
    }
  }
}
