package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;

/** Requests that another server could read differently are refused, and the connection ends. */
class FramingTest {
  private static final String LINE = "POST / HTTP/1.1\r\n";
  private static final String HOST = LINE + "Host: a\r\n";
  private static final String CHUNKED = HOST + "Transfer-Encoding: chunked\r\n\r\n";

  static Map<String, Integer> bad() {
    Map<String, Integer> bad = new LinkedHashMap<>();
    for (String head :
        new String[] {
          "\r\n" + HOST + "\r\n",
          " " + HOST + "\r\n",
          "\n" + HOST + "\r\n",
          "POST  / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST\t/ HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /  HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST / HTTP/1.1 \r\nHost: a\r\n\r\n",
          "POST / HTTP/1.1\nHost: a\r\n\r\n",
          "POST / HTTP/1.2\r\nHost: a\r\n\r\n",
          "POST / HTTP/1.11\r\nHost: a\r\n\r\n",
          "POST / http/1.1\r\nHost: a\r\n\r\n",
          "POST /\r\n\r\n",
          "P@ST / HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
          "POST /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n",
          HOST + "\r\r\r",
          HOST + "\r\r\n",
          HOST + "\n",
          LINE + " Host: a\r\n\r\n",
          LINE + "\tHost: a\r\n\r\n",
          LINE + "Host : a\r\n\r\n",
          LINE + "Host\t: a\r\n\r\n",
          LINE + "Host\r\n\r\n",
          LINE + ": a\r\n\r\n",
          LINE + "Host: a\n\r\n",
          LINE + "Host: a\r\r\n\r\n",
          LINE + "Host: a\0b\r\n\r\n",
          LINE + "Host: a\u007f\r\n\r\n",
          LINE + "\r\n",
          HOST + "Host: b\r\n\r\n",
          HOST + " folded\r\n\r\n",
          HOST + "X: a\r\n\tfolded\r\n\r\n",
          HOST + "X\0: a\r\n\r\n",
          HOST + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
          HOST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
          HOST + "Content-Length: 1\r\nContent-Length: 2\r\n\r\naa",
          HOST + "Content-Length: 1, 1\r\n\r\na",
          HOST + "Content-Length: +1\r\n\r\na",
          HOST + "Content-Length: -1\r\n\r\na",
          HOST + "Content-Length: 0x1\r\n\r\na",
          HOST + "Content-Length: 1 1\r\n\r\na",
          HOST + "Content-Length:\r\n\r\n",
          HOST + "Content-Length: 9999999999999999999\r\n\r\n",
          HOST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          HOST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
          HOST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          HOST + "Transfer-Encoding:\r\n\r\n",
          HOST + "Transfer-Encoding: \t \r\nContent-Length: 1\r\n\r\na",
          "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          CHUNKED + "\r\n",
          CHUNKED + "0x1\r\na\r\n0\r\n\r\n",
          CHUNKED + "+1\r\na\r\n0\r\n\r\n",
          CHUNKED + "-1\r\na\r\n0\r\n\r\n",
          CHUNKED + " 1\r\na\r\n0\r\n\r\n",
          CHUNKED + "1 \r\na\r\n0\r\n\r\n",
          CHUNKED + "1\na\r\n0\r\n\r\n",
          CHUNKED + "1\r\na\n0\r\n\r\n",
          CHUNKED + "1\r\nab\r\n0\r\n\r\n",
          CHUNKED + "1\r\na0\r\n\r\n",
          CHUNKED + "g\r\n",
          CHUNKED + ";a=b\r\n",
          CHUNKED + "1;a=\nb\r\na\r\n0\r\n\r\n",
          CHUNKED + "000000001\r\na\r\n0\r\n\r\n",
          CHUNKED + "fffffffff\r\n",
          CHUNKED + "0\r\n folded: a\r\n\r\n",
          CHUNKED + "0\r\na: b\n\r\n",
          CHUNKED + "0\n\r\n",
          CHUNKED + "0\r\n\n",
        }) {
      bad.put(head, 400);
    }
    for (String coding : new String[] {"gzip", "identity", "chunked, chunked", "xchunked", "a b"}) {
      bad.put(HOST + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n", 501);
    }
    return bad;
  }

  static String shown(String request) {
    return request.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\0");
  }

  private static void assertRefused(RawConnection client, String request, int status)
      throws Exception {
    RawConnection.Response refusal = client.receive();
    assertEquals(status, refusal.status(), () -> shown(request));
    assertEquals("application/problem+json", refusal.header("content-type"), shown(request));
    assertTrue(refusal.body().contains("\"reason\":\"framing\""), refusal::body);
    assertTrue(client.isEnded(), () -> shown(request));
  }

  private static String get(String target) {
    return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
  }

  private static String withNames(List<String> names) {
    return HOST.replace("POST", "GET") + String.join(": 1\r\n", names) + ": 1\r\n\r\n";
  }

  private static String parameters(int count) {
    return "/?" + String.join("&", Collections.nCopies(count, "a=1"));
  }

  /** Each with status and reason. */
  static Map<String, String> refusedByUndertowWithAnEmptyAnswer() {
    Map<String, String> refused = new LinkedHashMap<>();
    for (String target :
        List.of(parameters(1001), "/%zz", "/%e", "/%e?a", "/?a=%zz", "/?a=%", "/;a=%g0")) {
      refused.put(get(target), "400 target");
    }
    for (char c : "\"#<>\\^`{|}".toCharArray()) {
      refused.put(get("/" + c), "400 target");
      refused.put(get("/?a=" + c), "400 target");
    }
    for (String host :
        List.of("a b", "a/b", "b@a", "a:", "a:b", "a:0", "a:999999", "[::1", "a%z")) {
      refused.put("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "400 framing");
    }
    refused.put(withNames(Http2GuardTest.colliding(17).subList(0, 17)), "431 head");
    refused.put(withNames(Collections.nCopies(128, "x")), "431 head");
    return refused;
  }

  @Test
  void whatUndertowWouldRefuseWithAnEmptyAnswerGetsAProblem() throws Exception {
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      for (Map.Entry<String, String> request : refusedByUndertowWithAnEmptyAnswer().entrySet()) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(request.getKey());
          RawConnection.Response refusal = client.receive();
          String reason = refusal.body().replaceFirst("(?s).*\"reason\":\"(\\w+)\".*", "$1");
          assertEquals(
              request.getValue(), refusal.status() + " " + reason, () -> shown(request.getKey()));
        }
      }
      assertEquals(0, server.door().mostInside());
    }
  }

  @Test
  void whatUndertowAcceptsIsServed() throws Exception {
    List<String> requests = new ArrayList<>();
    for (String target :
        List.of(parameters(1000), "/%41?a=%41&b", "/a;b=&&c?d=/?:@!$'()*+,;=[]-._~")) {
      requests.add(get(target));
    }
    for (String host : List.of("", "a.example:8080", "[::1]", "[::1]:80", "1.2.3.4", "a%41_b")) {
      requests.add("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }
    requests.add(withNames(Http2GuardTest.colliding(17).subList(0, 16)));
    requests.add(withNames(Collections.nCopies(127, "x")));
    requests.add(withNames(IntStream.range(0, 199).mapToObj(i -> "x-" + i).toList()));
    requests.add(withNames(List.of("x".repeat(5_000))));
    try (IntakeServer server = IntakeServer.with().start().guarded();
        RawConnection client = RawConnection.to(server.address())) {
      for (String request : requests) {
        assertEquals(200, client.send(request).receive().status(), () -> shown(request));
      }
    }
  }

  @Test
  void ambiguousRequestIsRefusedAndItsConnectionEnds() throws Exception {
    assertTrue(bad().size() > 40);
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      for (Map.Entry<String, Integer> request : bad().entrySet()) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(request.getKey());
          assertRefused(client, request.getKey(), request.getValue());
        }
      }
      assertEquals(0, server.door().mostInside());
      server.await("body_bytes", 0);
    }
  }

  @Test
  void ambiguousRequestBehindAGoodOneIsRefusedAfterItsAnswer() throws Exception {
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      for (Map.Entry<String, Integer> request : bad().entrySet()) {
        try (RawConnection client = RawConnection.to(server.address())) {
          client.send(RawConnection.post("/", "good") + request.getKey());
          assertEquals(200, client.receive().status(), () -> shown(request.getKey()));
          assertRefused(client, request.getKey(), request.getValue());
        }
      }
    }
  }

  @Test
  void ambiguousRequestIsRefusedWhereverItIsSplit() throws Exception {
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      for (Map.Entry<String, Integer> request : bad().entrySet()) {
        try (RawConnection client = RawConnection.to(server.address())) {
          int half = request.getKey().length() / 2;
          client.send(request.getKey().substring(0, half));
          // A later connection is served: the first half has been read, or is about to be.
          try (RawConnection other = RawConnection.to(server.address())) {
            assertEquals(200, other.send(RawConnection.get("/")).receive().status());
          }
          try {
            client.send(request.getKey().substring(half));
          } catch (java.io.IOException e) {
            // Refused already.
          }
          assertRefused(client, request.getKey(), request.getValue());
        }
      }
    }
  }

  @Test
  void largestHeadIsServedAndALargerOneRefused() throws Exception {
    int rest = HOST.length() + "X: \r\n\r\n".length();
    String largest = HOST + "X: " + "x".repeat((64 << 10) - rest) + "\r\n\r\n";
    StringBuilder fields = new StringBuilder(HOST);
    for (int i = 1; i < 200; i++) {
      fields.append("X").append(i).append(": \r\n");
    }
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      long before = server.count("rejected.head");
      List<String> refused =
          List.of(
              largest.replaceFirst("x", "xx"),
              "GET /" + "x".repeat(64 << 10),
              HOST + "X: " + "x".repeat(1 << 20) + "\r\n\r\n",
              fields + "X: \r\n\r\n");
      for (String head : refused) {
        try (RawConnection client = RawConnection.to(server.address())) {
          assertEquals(200, client.send(largest).receive().status());
          assertEquals(200, client.send(fields + "\r\n").receive().status());
          client.send(head);
          RawConnection.Response refusal = client.receive();
          assertEquals(431, refusal.status());
          assertTrue(refusal.body().contains("\"reason\":\"head\""), refusal::body);
          assertTrue(client.isEnded());
        }
      }
      // Other tests count in the same place.
      assertTrue(server.count("rejected.head") >= before + refused.size());
      assertEquals(2 * refused.size(), server.door().served());
    }
  }

  @Test
  void plainRequestsAreServedOnOneConnection() throws Exception {
    try (IntakeServer server = IntakeServer.with().start().guarded();
        RawConnection client = RawConnection.to(server.address())) {
      for (String request :
          new String[] {
            RawConnection.get("/"),
            RawConnection.post("/", "abc"),
            RawConnection.post("/", RawConnection.body(90_000)),
            HOST + "\r\n",
            LINE + "Host:a\t\r\nX:\r\nY: \u00e9 b\tc\r\nContent-Length:  3 \r\n\r\nabc",
            CHUNKED + "3\r\nabc\r\n0\r\n\r\n",
            CHUNKED + "A;a=\"b c\"\r\n0123456789\r\n00\r\nTrailer: value\r\n\r\n",
            HOST + "transfer-encoding: CHUNKED\r\n\r\n0\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
          }) {
        assertEquals(200, client.send(request).receive().status(), () -> shown(request));
      }
      client.send(RawConnection.get("/") + RawConnection.post("/", "a") + CHUNKED);
      client.send("1\r\na\r\n0\r\n\r\n");
      for (int i = 0; i < 3; i++) {
        assertEquals(200, client.receive().status());
      }
    }
  }
}
