package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.test.net.RawConnection;

/** A request with two faults is refused for the one that is checked first. */
class CheckOrderTest {
  private final TestServer server = TestServer.open();

  CheckOrderTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  /** The faults of a request, in the order of the checks. */
  enum Fault {
    URI(414, "E_SCHEMA"),
    RECIPIENT(404, "E_NOT_FOUND"),
    METHOD(405, "E_SCHEMA"),
    ENCODING(415, "E_SCHEMA"),
    ORIGIN(403, "E_CAP_SCOPE"),
    FETCH_MODE(403, "E_CAP_SCOPE"),
    BLOCKED(403, "E_CAP_SCOPE"),
    RATE(429, "E_SATURATED"),
    NO_TOKEN(401, "E_CAP_AUTH"),
    TOKEN(403, "E_CAP_SCOPE"),
    REVOCATION(503, "E_UNAVAILABLE"),
    QUERY(400, "E_SCHEMA"),
    BODY(413, "E_FRAME_TOO_LARGE"),
    STOPPING(503, "E_UNAVAILABLE"),
    MAILBOX_FULL(507, "E_SATURATED");

    private final int status;
    private final String code;

    Fault(int status, String code) {
      this.status = status;
      this.code = code;
    }

    /** The core's refusal; null when it admits the request. */
    private @Nullable AccessAnswer answer() {
      return switch (this) {
        case BLOCKED -> new AccessAnswer.Blocked();
        case RATE -> new AccessAnswer.Limited(Duration.ofMillis(3_001));
        case NO_TOKEN -> new AccessAnswer.Unauthorized();
        case TOKEN -> new AccessAnswer.Forbidden();
        case REVOCATION -> new AccessAnswer.Unavailable();
        default -> null;
      };
    }

    private @Nullable PostOutcome outcome() {
      return switch (this) {
        case STOPPING -> PostOutcome.CLOSING;
        case MAILBOX_FULL -> PostOutcome.MAILBOX_FULL;
        default -> null;
      };
    }

    /** Whether one call of the core decides both, in its own order. */
    private boolean isOneWith(Fault other) {
      return (answer() != null && other.answer() != null)
          || (outcome() != null && other.outcome() != null);
    }
  }

  static Stream<Arguments> pairs() {
    Fault[] faults = Fault.values();
    return IntStream.range(0, faults.length)
        .boxed()
        .flatMap(
            first ->
                IntStream.range(first + 1, faults.length)
                    .filter(second -> !faults[first].isOneWith(faults[second]))
                    .mapToObj(second -> Arguments.of(faults[first], faults[second])));
  }

  @ParameterizedTest
  @EnumSource
  void oneFaultIsRefusedWithItsProblem(Fault fault) throws IOException {
    RawConnection.Response response = send(List.of(fault)).expect(fault.status);
    assertEquals("application/problem+json", response.header("content-type"));
    assertTrue(response.body().contains("\"code\":\"" + fault.code + "\""), response::body);
    assertEquals(0, server.service.posted.size());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theEarlierFaultDecides(Fault first, Fault second) throws IOException {
    String alone = send(List.of(first)).body();
    assertEquals(alone, send(List.of(second, first)).body());
  }

  private RawConnection.Response send(List<Fault> faults) throws IOException {
    server.service.answer = FakeRendezvousService.GRANTED;
    server.service.postOutcome = PostOutcome.STORED;
    for (Fault fault : faults) {
      AccessAnswer answer = fault.answer();
      PostOutcome outcome = fault.outcome();
      server.service.answer = answer != null ? answer : server.service.answer;
      server.service.postOutcome = outcome != null ? outcome : server.service.postOutcome;
    }
    return server.call(request(faults));
  }

  private static String request(List<Fault> faults) {
    List<String> headers = new ArrayList<>();
    if (faults.contains(Fault.ENCODING)) {
      headers.add("Content-Encoding: gzip");
    }
    if (faults.contains(Fault.ORIGIN)) {
      headers.add("Origin: https://foreign.example");
    }
    if (faults.contains(Fault.FETCH_MODE)) {
      headers.add("Sec-Fetch-Mode: navigate");
    }
    boolean isLarge = faults.contains(Fault.BODY);
    headers.add(RawConnection.length(isLarge ? FakeRendezvousService.MAX_MESSAGE + 1 : 1));
    String path = TestServer.PATH + (faults.contains(Fault.RECIPIENT) ? "0" : "");
    String query =
        (faults.contains(Fault.QUERY) ? "?wait=1" : "")
            + (faults.contains(Fault.URI) ? "?" + "x".repeat(1_024) : "");
    String method = faults.contains(Fault.METHOD) ? "PUT" : "POST";
    return TestServer.request(method, path + query, headers.toArray(String[]::new))
        + (isLarge ? "" : "x");
  }
}
