package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.ServletException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.web.FakeCapabilities.Presented;
import org.svcmailbox.web.HttpCalls.Answer;

/** Authentication and capability administration over HTTP. */
class CapabilityEndpointTest {
  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);
  private final Capabilities real =
      new Capabilities(
          new Capabilities.Terms(
              Map.of(),
              Duration.ofSeconds(30),
              Duration.ofHours(1),
              10,
              10,
              new FairShare(100),
              0,
              10),
          new Capabilities.Ports(
              new InMemoryCapabilityStore(),
              new SecureRandom(),
              System::nanoTime,
              InstantSource.system()));

  CapabilityEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer get(String path, String authorization) throws Exception {
    return calls.call(
        calls.request("GET", path, BodyPublishers.noBody()).header("Authorization", authorization));
  }

  private void bolt() {
    server.capabilities.onAuthenticate =
        presented -> real.authenticate(presented.token(), presented.address());
  }

  @Test
  void eachRequestIsAuthenticatedOnceWithItsAddress() throws Exception {
    get("/v1/topics", "Bearer abc").response();
    assertEquals(
        List.of(new Presented("abc", InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))),
        List.copyOf(server.capabilities.presented));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic abc", "abc", "Bearerabc", "Bearer"})
  void otherSchemesAreNoToken(String header) throws Exception {
    get("/v1/topics", header);
    assertEquals(
        Optional.empty(), Optional.ofNullable(server.capabilities.presented.remove().token()));
  }

  @Test
  void withoutACapabilityThereIsAChallengeAndNothingElse() throws Exception {
    bolt();
    Answer missing = calls.call("GET", "/v1/topics");
    assertEquals(401, missing.status());
    assertEquals("missing", missing.json().path("reason").asText());
    assertEquals("Bearer realm=\"mailbox\"", missing.header("WWW-Authenticate"));
    Answer invalid = get("/v1/topics", "Bearer garbage");
    assertEquals(401, invalid.status());
    assertEquals("invalid", invalid.json().path("reason").asText());
    Answer unknownPath = calls.call("GET", "/v1/nothing");
    assertEquals(401, unknownPath.status());
  }

  @Test
  void withoutACapabilityABodyIsNotLookedAt() throws Exception {
    bolt();
    assertEquals(401, calls.post("/v1/send", "{no json").status());
    assertEquals(401, calls.post("/v1/send", "x".repeat(2_000_000)).status());
  }

  @Test
  void theOpenRoutesAskForNothing() throws Exception {
    bolt();
    assertEquals(200, calls.call("GET", "/healthz").status());
    assertEquals(200, calls.call("GET", "/readyz").status());
    assertTrue(server.capabilities.presented.isEmpty());
  }

  @Test
  void aRateLimitedCallerGetsRetryAfter() throws Exception {
    server.capabilities.onAuthenticate =
        presented -> {
          throw new SaturatedException("rate_address", "too many calls", Duration.ofMillis(2_100));
        };
    Answer answer = calls.call("GET", "/v1/topics");
    assertEquals(429, answer.status());
    assertEquals("rate_address", answer.json().path("reason").asText());
    assertEquals(2_100, answer.json().path("retry_after_ms").asInt());
    assertEquals("3", answer.header("Retry-After"));
  }

  @Test
  void anExpiredCapabilitySaysSo() throws Exception {
    bolt();
    String token = real.operatorCapability(Optional.empty()).orElseThrow();
    String over =
        org.svcmailbox.capability.Macaroon.parse(token)
            .narrowedBy("expires < 2026-01-01T00:00:00Z")
            .token();
    String send = "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload\":\"\"}";
    Answer answer =
        calls.call(
            calls
                .request(
                    "POST",
                    "/v1/send/batch",
                    BodyPublishers.ofString("{\"messages\":[" + send + "]}"))
                .header("Authorization", "Bearer " + over));
    assertEquals(401, answer.status(), "of the whole batch");
    assertEquals("expired", answer.json().path("reason").asText());
  }

  @Test
  void mintingAnswersTheSecretOnce() throws Exception {
    Answer answer =
        calls.post("/v1/capabilities", "{\"caveats\":[\"ops = send\"],\"expires_in\":\"1h\"}");
    assertEquals(201, answer.status());
    assertEquals("token", answer.json().path("capability").asText());
    assertEquals("2026-12-01T00:00:00Z", answer.json().path("expires").asText());
    assertEquals("no-store", answer.header("Cache-Control"));
    assertEquals(
        List.of(List.of("ops = send"), Duration.ofHours(1), Optional.empty()),
        server.capabilities.calls.remove());
  }

  @Test
  void aMintingTakesANote() throws Exception {
    String body = "{\"caveats\":[],\"expires_in\":\"1h\",\"note\":%s}";
    assertEquals(
        201, calls.post("/v1/capabilities", body.formatted("\" shop \u20ac\u00a07 \"")).status());
    assertEquals(
        List.of(List.of(), Duration.ofHours(1), Optional.of("shop \u20ac\u00a07")),
        server.capabilities.calls.remove());
    assertEquals(201, calls.post("/v1/capabilities", body.formatted("null")).status());
    server.capabilities.calls.clear();
    for (String note : List.of("\"\"", "\"" + "x".repeat(256) + "\"", "\"Console:ann\"", "7")) {
      Answer refused = calls.post("/v1/capabilities", body.formatted(note));
      assertEquals(400, refused.status(), note);
      assertEquals(List.of("note"), refused.fields(), note);
    }
    assertTrue(server.capabilities.calls.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"caveats\":[]}",
        "{\"expires_in\":\"1h\"}",
        "{\"caveats\":[null],\"expires_in\":\"1h\"}",
        "{\"caveats\":\"ops = send\",\"expires_in\":\"1h\"}",
        "{\"caveats\":[],\"expires_in\":\"soon\"}",
        "{\"caveats\":[],\"expires_in\":3600}",
        "{\"caveats\":[],\"expires_in\":\"1h\",\"nonce\":\"00\"}"
      })
  void aMalformedRequestMintsNothing(String body) throws Exception {
    Answer answer = calls.post("/v1/capabilities", body);
    assertEquals(400, answer.status());
    assertFalse(answer.fields().isEmpty());
    assertTrue(server.capabilities.calls.isEmpty());
  }

  @Test
  void oneThingIsRevokedAtATime() throws Exception {
    String nonce = "0".repeat(32);
    assertEquals(200, revoke("{\"nonce\":\"" + nonce + "\"}"));
    assertEquals(200, revoke("{\"key_id\":\"k-1\"}"));
    assertEquals(200, revoke("{\"capability\":\"abc\"}"));
    assertEquals(
        List.of(
            new Revocation.OfNonce(nonce),
            new Revocation.OfKey("k-1"),
            new Revocation.OfCapability("abc")),
        List.copyOf(server.capabilities.calls));
    assertEquals(400, revoke("{}"));
    assertEquals(400, revoke("{\"key_id\":\"k-1\",\"capability\":\"abc\"}"));
    assertEquals(400, revoke("{\"nonce\":\"" + "A".repeat(32) + "\"}"));
    assertEquals(3, server.capabilities.calls.size());
  }

  @Test
  void aRevocationEndsLeasesWhenItIsAskedTo() throws Exception {
    String path = "/v1/capabilities/revoke";
    JsonNode without = calls.post(path, "{\"key_id\":\"k-1\",\"release_leases\":false}").json();
    assertFalse(without.has("released"));
    assertEquals("", server.holdings.asked);
    JsonNode with = calls.post(path, "{\"key_id\":\"k-1\",\"release_leases\":true}").json();
    assertEquals(3, with.path("released").asLong());
    assertEquals("withdraw OfKey[keyId=k-1]", server.holdings.asked);
    assertEquals(400, revoke("{\"release_leases\":true}"));
    assertEquals(400, revoke("{\"key_id\":\"k-1\",\"release_leases\":\"yes\"}"));
  }

  @Test
  void theListCountsLeasesUnlessAWorkerDoesNotAnswer() throws Exception {
    JsonNode both = calls.call("GET", "/v1/capabilities").json().path("capabilities");
    assertEquals(0, both.get(0).path("leases").asLong(-1), "it has none");
    assertFalse(both.get(1).has("leases"), "a root key");
    server.holdings.counts = Map.of("0".repeat(32), 7L);
    JsonNode held = calls.call("GET", "/v1/capabilities").json().path("capabilities");
    assertEquals(7, held.get(0).path("leases").asLong(-1));
    server.holdings.isAway = true;
    JsonNode unknown = calls.call("GET", "/v1/capabilities").json().path("capabilities");
    assertFalse(unknown.get(0).has("leases"));
  }

  private int revoke(String body) throws Exception {
    return calls.post("/v1/capabilities/revoke", body).status();
  }

  /** Java 17's client sends {@code Content-Length: 0} without a {@code Content-Type}. */
  @Test
  void aGetThatAnnouncesAnEmptyBodyIsAnswered() throws Exception {
    URI list = URI.create("http://127.0.0.1:" + server.address().getPort() + "/v1/capabilities");
    HttpRequest.Builder get = HttpRequest.newBuilder(list).method("GET", BodyPublishers.noBody());
    assertEquals(200, calls.call(get).status());
  }

  @Test
  void mintedAndRevokedCapabilitiesAreListed() throws Exception {
    JsonNode page = calls.call("GET", "/v1/capabilities?limit=2").json();
    assertEquals("list ALL  2", server.capabilities.calls.remove());
    JsonNode minted = page.path("capabilities").get(0);
    assertEquals("0".repeat(32), minted.path("nonce").asText());
    assertEquals("k-1", minted.path("key_id").asText());
    assertEquals("ops = send", minted.path("caveats").get(0).asText());
    assertEquals("k-1:00", minted.path("minted_by").asText());
    assertEquals("console:kim", minted.path("minted_by_name").asText());
    assertEquals("shop 7", minted.path("note").asText());
    assertEquals("2026-11-01T00:00:00.000Z", minted.path("minted_at").asText());
    assertEquals("2026-11-01T00:01:00Z", minted.path("expires").asText());
    assertFalse(minted.has("revoked_at") || minted.has("capability"));
    JsonNode revoked = page.path("capabilities").get(1);
    assertEquals("k-0", revoked.path("key_id").asText());
    assertEquals("2026-11-01T00:00:00.000Z", revoked.path("revoked_at").asText());
    assertFalse(revoked.has("nonce"));
    String next = page.path("next_cursor").asText();
    assertEquals(200, calls.call("GET", "/v1/capabilities?cursor=" + next).status());
    assertEquals("list ALL " + next + " 100", server.capabilities.calls.remove());
    for (String kind : List.of("all", "minted", "console")) {
      assertEquals(200, calls.call("GET", "/v1/capabilities?kind=" + kind).status());
      assertEquals(
          "list " + kind.toUpperCase(Locale.ROOT) + "  100", server.capabilities.calls.remove());
    }
    for (String bad :
        List.of("limit=0", "limit=1001", "cursor=nonce:00", "cursor=x", "y=1", "kind=Console")) {
      assertEquals(400, calls.call("GET", "/v1/capabilities?" + bad).status(), bad);
    }
  }

  @Test
  void aRotationTellsTheNewKey() throws Exception {
    Answer answer = calls.post("/v1/capabilities/rotate", "{}");
    assertEquals("k-2", answer.json().path("key_id").asText());
    assertEquals(400, calls.post("/v1/capabilities/rotate", "{\"key_id\":\"mine\"}").status());
  }
}
