package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** Messages in and out, as clients see them. */
class MessageTest {
  private final TestServer server = TestServer.open();

  MessageTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private static String post(String... headers) {
    return TestServer.request("POST", TestServer.PATH, headers);
  }

  private static String get(String query) {
    return TestServer.request("GET", TestServer.PATH + query);
  }

  private byte[] posted() {
    assertEquals(1, server.service.posted.size());
    return server.service.posted.remove();
  }

  @Test
  void aMessageComesOutAsItWentIn() throws IOException {
    byte[] body = new byte[FakeRendezvousService.MAX_MESSAGE];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) i;
    }
    try (RawConnection client = server.connect()) {
      Response accepted =
          client.send(post(RawConnection.length(body.length))).send(body).receive().expect(202);
      assertEquals("0", accepted.header("content-length"));
      client.send(get(""));
      assertEquals("HTTP/1.1 200 OK", client.line());
      List<String> headers =
          Stream.generate(() -> line(client)).takeWhile(l -> !l.isEmpty()).toList();
      assertArrayEquals(body, client.bytes(body.length));
      for (String header :
          List.of(
              "Content-Length: 1000",
              "Content-Type: application/octet-stream",
              "X-Message-Sequence: 7",
              "X-Queue-Length: 0",
              "Cache-Control: no-store",
              "X-Content-Type-Options: nosniff",
              "Vary: Origin")) {
        assertTrue(headers.contains(header), () -> header + " is not among " + headers);
      }
      assertFalse(headers.stream().anyMatch(l -> l.matches("(?i)(etag|set-cookie):.*")));
      client.send(get("")).receive().expect(204);
    }
    assertEquals("written", server.settled());
    assertEquals(List.of("POST 202", "GET 200", "GET 204"), server.service.responses);
  }

  private static String line(RawConnection client) {
    try {
      return client.line();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aMessageMayBeEmptyWithOrWithoutALength() throws IOException {
    server.call(post("Content-Length: 0")).expect(202);
    assertEquals(0, posted().length);
    server.call(post("Transfer-Encoding: chunked") + "0\r\n\r\n").expect(202);
    assertEquals(0, posted().length);
    server.call(post()).expect(202);
    Response empty = server.call(get("")).expect(200);
    assertEquals("0", empty.header("content-length"));
    assertEquals("written", server.settled());
  }

  @Test
  void aChunkedMessageMayBeAsLargeAsAnother() throws IOException {
    String max = RawConnection.body(FakeRendezvousService.MAX_MESSAGE);
    String head = post("Transfer-Encoding: chunked");
    String chunks =
        RawConnection.chunk(max.substring(0, 400)) + RawConnection.chunk(max.substring(400));
    server.call(head + chunks + "0\r\n\r\n").expect(202);
    assertEquals(max, new String(posted(), StandardCharsets.ISO_8859_1));
    server.call(head + chunks + RawConnection.chunk("x") + "0\r\n\r\n").expect(413);
    assertEquals(0, server.service.posted.size());
  }

  @Test
  void aMessageInManyPiecesIsWhole() throws IOException {
    String body = RawConnection.body(FakeRendezvousService.MAX_MESSAGE);
    try (RawConnection client = server.connect()) {
      client.send(post(RawConnection.length(body.length())));
      for (int i = 0; i < body.length(); i += 100) {
        client.send(body.substring(i, i + 100));
      }
      client.receive().expect(202);
    }
    assertEquals(body, new String(posted(), StandardCharsets.ISO_8859_1));
  }

  @Test
  void aMessageThatDeclaresItselfTooLargeIsRefusedBeforeItIsSent() throws IOException {
    try (RawConnection client = server.connect()) {
      Response refused = client.send(post(RawConnection.length(1_001))).receive().expect(413);
      assertEquals("close", refused.header("connection"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain; charset=utf-16", "application/x-www-form-urlencoded", "nonsense"})
  void aMessageMayHaveAnyContentType(String type) throws IOException {
    server.call(post("Content-Type: " + type, "Content-Length: 3") + "a=%").expect(202);
    assertEquals("a=%", new String(posted(), StandardCharsets.ISO_8859_1));
  }

  @Test
  void aClientThatLeavesInTheMiddleStoresNothing() throws IOException {
    try (RawConnection client = server.connect()) {
      client.send(post(RawConnection.length(10)) + "12345");
      client.reset();
    }
    server.call(post(RawConnection.length(1)) + "x").expect(202);
    assertEquals("x", new String(posted(), StandardCharsets.ISO_8859_1));
  }

  static Stream<Arguments> postOutcomes() {
    return Stream.of(
        Arguments.of(PostOutcome.STORED, 202, ""),
        Arguments.of(PostOutcome.MAILBOX_FULL, 507, "5"),
        Arguments.of(PostOutcome.SENDER_FULL, 429, "3"),
        Arguments.of(PostOutcome.FULL, 503, "3"),
        Arguments.of(PostOutcome.CLOSING, 503, "3"));
  }

  @ParameterizedTest
  @MethodSource("postOutcomes")
  void everyOutcomeOfAPostHasItsStatus(PostOutcome outcome, int status, String retryAfter)
      throws IOException {
    server.service.postOutcome = outcome;
    Response response = server.call(post("Content-Length: 1") + "x").expect(status);
    assertEquals(retryAfter, response.header("retry-after"));
    assertEquals(List.of("POST " + status), server.service.responses);
  }

  static Stream<Arguments> getOutcomes() {
    return Stream.of(
        Arguments.of(new GetOutcome.Empty(), 204, ""),
        Arguments.of(new GetOutcome.Revoked(), 403, ""),
        Arguments.of(new GetOutcome.TooManyWaiters(), 429, "3"),
        Arguments.of(new GetOutcome.Full(), 503, "3"),
        Arguments.of(new GetOutcome.Closing(), 503, "3"));
  }

  @ParameterizedTest
  @MethodSource("getOutcomes")
  void everyOutcomeOfAGetHasItsStatus(GetOutcome outcome, int status, String retryAfter)
      throws IOException {
    server.service.getOutcome = outcome;
    Response response = server.call(get("")).expect(status);
    assertEquals(retryAfter, response.header("retry-after"));
    assertEquals(List.of("GET " + status), server.service.responses);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "PUT", "DELETE", "PATCH", "MAILBOX"})
  void otherMethodsAreRefused(String method) throws IOException {
    try (RawConnection client = server.connect()) {
      String response =
          client.send(TestServer.request(method, TestServer.PATH, "Connection: close")).rest();
      assertTrue(response.startsWith("HTTP/1.1 405 "), response);
      assertTrue(response.contains("\r\nAllow: GET, POST, OPTIONS\r\n"), response);
    }
  }

  @Test
  void admissionSeesTheRequestsTokenAddressAndWait() throws IOException {
    server
        .call(TestServer.request("GET", TestServer.PATH, "Authorization: bearer  abc "))
        .expect(204);
    try (RawConnection client = server.connect()) {
      client.send(get("?wait_ms=30000"));
      assertEquals(Duration.ofSeconds(30), server.waiter().time());
    }
    assertEquals("abc", server.service.knocks.get(0).token());
    assertEquals(Right.GET, server.service.knocks.get(0).right());
    assertFalse(server.service.knocks.get(0).waits());
    assertEquals(null, server.service.knocks.get(1).token());
    assertTrue(server.service.knocks.get(1).waits());
  }

  @Test
  void aRequestThatFailsIsAProblem() throws IOException {
    server.service.isFailing = true;
    server.call(post("Content-Length: 1") + "x").expect(500);
  }
}
