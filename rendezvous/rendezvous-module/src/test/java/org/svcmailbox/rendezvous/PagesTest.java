package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.test.net.RawConnection.Response;

/** Health, metrics and client addresses. */
class PagesTest {
  private static final List<IpRange> LOOPBACK = List.of(IpRange.parse("127.0.0.0/8").orElseThrow());

  private final TestServer server = TestServer.open();

  PagesTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Response get(String path, String... headers) throws IOException {
    return server.call(TestServer.request("GET", path, headers));
  }

  @ParameterizedTest
  @CsvSource({"HEALTHY, 200, healthy", "OVERLOADED, 503, overloaded", "STOPPING, 503, stopping"})
  void healthIsTold(Health health, int status, String word) throws IOException {
    server.service.health = health;
    Response response = get("/health").expect(status);
    assertEquals("application/json", response.header("content-type"));
    String form =
        "\\{\"status\":\"" + word + "\",\"uptime_seconds\":\\d+,\"version\":\"[0-9][^\"$]*\"}";
    assertTrue(response.body().matches(form), response.body());
    assertEquals(1, server.service.connections);
  }

  @Test
  void theUptimeIsInWholeSeconds() {
    HealthPage page = new HealthPage(server.service, () -> 0, () -> Duration.ofMillis(12_999));
    String body = page.reply().body();
    assertTrue(body.contains("\"uptime_seconds\":12,"), body);
  }

  @Test
  void metricsAreForListedClients() throws IOException {
    Response response = get("/metrics").expect(200);
    assertEquals("active_mailboxes 1\n", response.body());
    assertEquals("text/plain; version=0.0.4;charset=utf-8", response.header("content-type"));
  }

  @Test
  void metricsAreNotThereForOthers() throws IOException {
    server.service.metricsFrom = List.of(IpRange.parse("192.0.2.0/24").orElseThrow());
    get("/metrics").expect(404);
  }

  /** The proxy's address does not identify the client. */
  @ParameterizedTest
  @CsvSource({"X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1"})
  void metricsAreNotThereThroughAProxyThatIsNotTrusted(String header) throws IOException {
    get("/metrics", header).expect(404);
  }

  @Test
  void metricsThroughATrustedProxyAreForListedClients() throws IOException {
    server.service.proxies = LOOPBACK;
    server.service.metricsFrom = List.of(IpRange.parse("192.0.2.0/24").orElseThrow());
    get("/metrics", "X-Forwarded-For: 192.0.2.1").expect(200);
    get("/metrics", "X-Forwarded-For: 198.51.100.1").expect(404);
  }

  @Test
  void otherMethodsAreRefused() throws IOException {
    for (String path : List.of("/health", "/metrics")) {
      Response response =
          server.call(TestServer.request("POST", path, "Content-Length: 0")).expect(405);
      assertEquals("GET", response.header("allow"));
    }
  }

  @Test
  void aClosedDoorHasNoPaths() throws IOException {
    server.service.isOff = true;
    for (String path : List.of("/health", "/metrics", TestServer.PATH)) {
      get(path).expect(404);
    }
  }

  @Test
  void theClientIsBehindTrustedProxies() throws IOException {
    server.service.proxies = LOOPBACK;
    get(TestServer.PATH, "X-Forwarded-For: 192.0.2.9", "X-Forwarded-For: 192.0.2.1").expect(204);
    assertEquals("192.0.2.1", server.service.caller());
  }

  @Test
  void theClientIsWhereTheChosenHeaderSays() throws IOException {
    server.service.proxies = LOOPBACK;
    server.service.forwardedHeader = "Forwarded";
    get(TestServer.PATH, "Forwarded: for=192.0.2.9, for=192.0.2.1", "X-Forwarded-For: 192.0.2.5")
        .expect(204);
    assertEquals("192.0.2.1", server.service.caller());
    get(TestServer.PATH, "Forwarded: for=192.0.2.1, for=_hidden").expect(204);
    assertEquals("127.0.0.1", server.service.caller());
  }
}
