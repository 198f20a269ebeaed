package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.ServletException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.web.HttpCalls.Answer;

/** Rendezvous administration over HTTP. */
class RendezvousEndpointTest {
  private static final String TOKENS = "/v1/rendezvous/tokens";
  private static final String ONE = TOKENS + "/" + FakeRendezvous.ID;
  private static final String ACCESS = "/v1/rendezvous/access";
  private static final String RULES =
      "{\"allow\":[\"10.0.0.0/8\"],\"block\":[\"2001:db8::/32\"],\"posts_per_minute\":1,"
          + "\"gets_per_minute\":2,\"window_seconds\":3}";

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  RendezvousEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer put(String body) throws Exception {
    return calls.put(ACCESS, body);
  }

  @Test
  void aNewTokenIsShownOnceWithItsRights() throws Exception {
    String mailbox = FakeRendezvous.MAILBOX.hex();
    Answer answer =
        calls.post(
            TOKENS,
            "{\"rights\":[\"get\",\"post\"],\"mailbox\":\""
                + mailbox.toUpperCase(Locale.ROOT)
                + "\",\"expires_in\":\"7d\",\"note\":\" for Ann \"}");
    assertEquals(201, answer.status());
    assertEquals(FakeRendezvous.SECRET, answer.json().path("token").asText());
    assertEquals(FakeRendezvous.ID, answer.json().path("id").asText());
    assertEquals(mailbox, answer.json().path("mailbox").asText());
    assertEquals("[\"post\",\"get\"]", answer.json().path("rights").toString());
    assertEquals("no-store", answer.header("Cache-Control"));
    assertFalse(answer.response().body().contains(FakeRendezvous.DIGEST));
    assertEquals(
        List.of(
            "add",
            FakeRendezvous.MAILBOX.toString(),
            Set.of(Right.POST, Right.GET),
            Duration.ofDays(7).toString(),
            "for Ann"),
        server.rendezvous.calls.remove());
  }

  @Test
  void onlyTheRightsAreRequired() throws Exception {
    assertEquals(201, calls.post(TOKENS, "{\"rights\":[\"post\"]}").status());
    assertEquals(
        List.of("add", "null", Set.of(Right.POST), "null", ""), server.rendezvous.calls.remove());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"rights\":[]}",
        "{\"rights\":[null]}",
        "{\"rights\":[\"POST\"]}",
        "{\"rights\":[\"post\",\"post\"]}",
        "{\"rights\":\"post\"}",
        "{\"rights\":[\"post\"],\"mailbox\":\"0123\"}",
        "{\"rights\":[\"post\"],\"mailbox\":7}",
        "{\"rights\":[\"post\"],\"note\":\"\\u0000\"}",
        "{\"rights\":[\"post\"],\"expires_in\":\"soon\"}",
        "{\"rights\":[\"post\"],\"token\":\"mine\"}"
      })
  void aMalformedRequestMakesNoToken(String body) throws Exception {
    Answer answer = calls.post(TOKENS, body);
    assertEquals(400, answer.status());
    assertFalse(answer.fields().isEmpty());
    assertTrue(server.rendezvous.calls.isEmpty());
  }

  @Test
  void tokensAreListedInPagesWithoutSecrets() throws Exception {
    Answer answer = calls.call("GET", TOKENS + "?limit=2");
    JsonNode page = answer.json();
    assertEquals("tokens  2", server.rendezvous.calls.remove());
    JsonNode all = page.path("tokens").get(0);
    assertEquals("[\"post\",\"get\"]", all.path("rights").toString());
    assertEquals("2026-11-01T00:00:00.000Z", all.path("created_at").asText());
    assertFalse(all.has("mailbox") || all.has("expires"));
    JsonNode one = page.path("tokens").get(1);
    assertEquals(FakeRendezvous.MAILBOX.hex(), one.path("mailbox").asText());
    assertEquals("2026-11-01T00:01:00.000Z", one.path("expires").asText());
    assertFalse(answer.response().body().contains(FakeRendezvous.DIGEST));
    String next = page.path("next_cursor").asText();
    assertEquals(200, calls.call("GET", TOKENS + "?cursor=" + next).status());
    assertEquals("tokens " + next + " 100", server.rendezvous.calls.remove());
  }

  @ParameterizedTest
  @CsvSource({"limit=1, 200", "limit=0, 400", "limit=1000, 200", "limit=1001, 400"})
  void aPageHasFromOneToAThousandTokens(String query, int status) throws Exception {
    assertEquals(status, calls.call("GET", TOKENS + "?" + query).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cursor=x", "cursor=0123456789ABCDEF", "y=1", "limit=1&limit=2"})
  void aMalformedQueryListsNothing(String query) throws Exception {
    assertEquals(400, calls.call("GET", TOKENS + "?" + query).status());
    assertTrue(server.rendezvous.calls.isEmpty());
  }

  @Test
  void aTokenIsRemovedByItsId() throws Exception {
    assertEquals(200, calls.call("DELETE", ONE).status());
    assertEquals("remove " + FakeRendezvous.ID, server.rendezvous.calls.remove());
  }

  /** Only the client's own path repeats it. */
  @ParameterizedTest
  @ValueSource(strings = {"0123", "0123456789ABCDEF", FakeRendezvous.SECRET})
  void aMalformedIdIsNotFoundAndNotRepeated(String id) throws Exception {
    Answer removed = calls.call("DELETE", TOKENS + "/" + id);
    Answer rotated = calls.post(TOKENS + "/" + id + "/rotate", "{\"overlap\":\"1m\"}");
    for (Answer answer : List.of(removed, rotated)) {
      assertEquals(404, answer.status());
      assertFalse(answer.json().path("detail").asText().contains(id));
    }
    assertTrue(server.rendezvous.calls.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"0s, 201", "10m, 201", "-1s, 400", "soon, 400", "'', 400"})
  void bothTokensAreGoodForTheOverlap(String overlap, int status) throws Exception {
    Answer answer = calls.post(ONE + "/rotate", "{\"overlap\":\"" + overlap + "\"}");
    assertEquals(status, answer.status());
    assertEquals(status == 201 ? 1 : 0, server.rendezvous.calls.size());
    if (status == 201) {
      assertEquals(FakeRendezvous.SECRET, answer.json().path("token").asText());
    }
  }

  @Test
  void aRotationSaysItsOverlap() throws Exception {
    assertEquals(400, calls.post(ONE + "/rotate", "{}").status());
    calls.post(ONE + "/rotate", "{\"overlap\":\"10m\"}");
    assertEquals("rotate " + FakeRendezvous.ID + " PT10M", server.rendezvous.calls.remove());
  }

  @Test
  void theRulesAreReadAndReplaced() throws Exception {
    JsonNode rules = calls.call("GET", ACCESS).json();
    assertEquals("access", server.rendezvous.calls.remove());
    assertEquals("[\"10.0.0.0/8\"]", rules.path("allow").toString());
    assertEquals("[]", rules.path("block").toString());
    assertEquals(60, rules.path("posts_per_minute").asInt());
    assertEquals(120, rules.path("gets_per_minute").asInt());
    assertEquals(60, rules.path("window_seconds").asInt());
    Answer replaced = put(RULES);
    assertEquals(200, replaced.status());
    assertEquals("[\"10.0.0.0/8\"]", replaced.json().path("allow").toString());
    assertEquals(
        new AccessRules(
            List.of(IpRange.parse("10.0.0.0/8").orElseThrow()),
            List.of(IpRange.parse("2001:db8::/32").orElseThrow()),
            1,
            2,
            3),
        server.rendezvous.calls.remove());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"allow", "block", "posts_per_minute", "gets_per_minute", "window_seconds"})
  void rulesAreReplacedAsAWhole(String field) throws Exception {
    String without = RULES.replaceAll(",?\"" + field + "\":(\\[[^]]*\\]|\\d)", "");
    Answer answer = put(without.replace("{,", "{"));
    assertEquals(400, answer.status());
    assertEquals(List.of(field), answer.fields());
    assertTrue(server.rendezvous.calls.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"10.0.0.1/8\"", "\"10.0.0.1\"", "\"localhost/8\"", "null", "7"})
  void aMalformedRangeIsRefused(String range) throws Exception {
    assertEquals(400, put(RULES.replace("\"10.0.0.0/8\"", range)).status());
    assertTrue(server.rendezvous.calls.isEmpty());
  }

  @Test
  void refusedRulesNameTheirField() throws Exception {
    server.rendezvous.refusal = new SchemaException("block", "must have at most 1000 ranges");
    Answer answer = put(RULES);
    assertEquals(400, answer.status());
    assertEquals(List.of("block"), answer.fields());
  }

  @Test
  void aDoorThatIsOffIsNotFound() throws Exception {
    server.rendezvous.refusal = new NotFoundException("The rendezvous door is off");
    assertEquals(404, calls.call("GET", TOKENS).status());
    assertEquals(404, calls.post(TOKENS, "{\"rights\":[\"post\"]}").status());
    assertEquals(404, calls.call("DELETE", ONE).status());
    assertEquals(404, calls.post(ONE + "/rotate", "{\"overlap\":\"1m\"}").status());
    assertEquals(404, calls.call("GET", ACCESS).status());
    assertEquals(404, put(RULES).status());
  }

  @Test
  void aBoundAndADatabaseThatIsAwayAreTold() throws Exception {
    server.rendezvous.refusal =
        new SaturatedException("rendezvous_tokens", "full", Duration.ofSeconds(60));
    Answer full = calls.post(TOKENS, "{\"rights\":[\"post\"]}");
    assertEquals(429, full.status());
    assertEquals("60", full.header("Retry-After"));
    server.rendezvous.refusal = new UnavailableException("away");
    assertEquals(503, calls.call("DELETE", ONE).status());
  }
}
