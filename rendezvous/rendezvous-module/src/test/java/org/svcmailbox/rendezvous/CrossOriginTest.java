package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.test.net.RawConnection.Response;

/** Cross-origin requests and the headers they see. */
class CrossOriginTest {
  private static final String LISTED = "Origin: https://app.example";
  private static final String FOREIGN = "Origin: https://foreign.example";

  private final TestServer server = TestServer.open();

  CrossOriginTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Response call(String method, String... headers) throws IOException {
    return server.call(TestServer.request(method, TestServer.PATH, headers));
  }

  private static void assertReadable(Response response) {
    assertEquals("https://app.example", response.header("access-control-allow-origin"));
    assertEquals(
        "X-Message-Sequence, X-Queue-Length, Retry-After",
        response.header("access-control-expose-headers"));
    assertEquals("Origin", response.header("vary"));
    assertEquals("", response.header("access-control-allow-credentials"));
  }

  @Test
  void aListedPageReadsResponsesAndRefusals() throws IOException {
    assertReadable(call("GET", LISTED).expect(204));
    server.service.answer = new AccessAnswer.Unauthorized();
    assertReadable(call("GET", LISTED).expect(401));
    assertReadable(call("PUT", LISTED).expect(405));
  }

  @Test
  void aPreflightTellsAListedOriginTheAllowedMethodsAndHeaders() throws IOException {
    Response response = call("OPTIONS", LISTED, "Access-Control-Request-Method: POST").expect(204);
    assertReadable(response);
    assertEquals("GET, POST", response.header("access-control-allow-methods"));
    assertEquals("Authorization, Content-Type", response.header("access-control-allow-headers"));
    assertEquals("600", response.header("access-control-max-age"));
    assertEquals("GET, POST, OPTIONS", response.header("allow"));
    assertEquals(List.of(), server.service.knocks);
  }

  @Test
  void aForeignPageIsRefusedAndItsPreflightTellsItNothing() throws IOException {
    Response refused = call("GET", FOREIGN).expect(403);
    Response preflight = call("OPTIONS", FOREIGN, "Access-Control-Request-Method: POST");
    for (Response response : List.of(refused, preflight.expect(204))) {
      assertEquals("", response.header("access-control-allow-origin"));
      assertEquals("", response.header("access-control-allow-methods"));
      assertEquals("Origin", response.header("vary"));
    }
    assertEquals(List.of(), server.service.knocks);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "https://app.example.", "http://app.example", "https://app"})
  void anOriginIsListedAsAWhole(String origin) throws IOException {
    call("GET", "Origin: " + origin).expect(403);
  }

  @Test
  void aStarListsEveryOrigin() throws IOException {
    server.service.origins = List.of("*");
    for (String origin : List.of(FOREIGN, "Origin: null")) {
      assertEquals("*", call("GET", origin).expect(204).header("access-control-allow-origin"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"navigate", "no-cors", "websocket", ""})
  void onlyScriptsMayCall(String mode) throws IOException {
    call("GET", "Sec-Fetch-Mode: " + mode).expect(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cors", "same-origin"})
  void scriptsMayCall(String mode) throws IOException {
    call("GET", "Sec-Fetch-Mode: " + mode).expect(204);
  }
}
