package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.web.HttpCalls.Answer;

/** Readers of the metrics, by their address and by their capability. */
class MetricsAccessTest {
  private static final String HERE = "127.0.0.0/8";
  private static final String ELSEWHERE = "192.0.2.0/24";

  private static Answer metrics(Map<String, String> settings, Caller caller, String... headers)
      throws Exception {
    try (TestServer server = TestServer.open(TestSettings.with(settings))) {
      server.capabilities.onAuthenticate = presented -> caller;
      HttpCalls calls = HttpCalls.to(server);
      HttpRequest.Builder request =
          calls.request("GET", "/metrics", BodyPublishers.noBody()).headers(headers);
      return calls.call(request);
    }
  }

  private static final Caller STRANGER = new SampleCallers().caller(1, "ops = send");

  @Test
  void withoutTheSettingEverybodyMay() throws Exception {
    for (String header : List.of("X-Forwarded-For", "Forwarded", "X-Other")) {
      assertEquals(200, metrics(Map.of(), STRANGER, header, "192.0.2.1").status());
    }
  }

  @ParameterizedTest
  @CsvSource({
    HERE + ", none, , 200",
    ELSEWHERE + ", none, , 403",
    "none, none, , 403",
    // A proxy beside the server forwards for anybody.
    HERE + ", none, 127.0.0.1, 403",
    HERE + ", 127.0.0.0/8, 192.0.2.1, 403",
    ELSEWHERE + ", 127.0.0.0/8, 192.0.2.1, 200",
  })
  void anAddressMayIfItIsSurelyThatOfTheClient(
      String from, String proxies, String forwarded, int status) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("mailbox.metrics.from", from);
    settings.put("mailbox.trusted_proxies", proxies);
    String header = forwarded == null ? "X-Other" : "X-Forwarded-For";
    Answer answer = metrics(settings, STRANGER, header, forwarded == null ? "x" : forwarded);
    assertEquals(status, answer.status());
    assertEquals(status == 200, answer.response().body().contains("# TYPE"));
  }

  @Test
  void anotherHeaderOfProxiesIsNoticed() throws Exception {
    Answer answer =
        metrics(Map.of("mailbox.metrics.from", HERE), STRANGER, "Forwarded", "for=192.0.2.1");
    assertEquals(403, answer.status());
  }

  @Test
  void aCapabilityMayThatReadsTheAuditOfEveryTopic() throws Exception {
    Map<String, String> closed = Map.of("mailbox.metrics.from", "none");
    SampleCallers people = new SampleCallers();
    for (String caveat : List.of("ops = audit", "ops = admin")) {
      assertEquals(200, metrics(closed, people.caller(2, caveat), "X-Other", "x").status());
    }
    for (String caveat : List.of("topic = orders", "ops = peek,recv,send")) {
      Answer refused = metrics(closed, people.caller(3, caveat), "X-Other", "x");
      assertEquals(403, refused.status());
      assertEquals("E_CAP_SCOPE", refused.json().path("code").asText());
      assertFalse(refused.response().body().contains("# TYPE"));
    }
  }
}
