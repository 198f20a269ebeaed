package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.SharedServer;

/** An administrator mints capabilities for other holders in the console. */
@ExtendWith(SharedServer.class)
@Tag("liberty")
class MintIT {
  private static final String PASSWORD = "correct horse battery";
  private static final String MINT = "mint";
  private static final int MOST = 10;

  private static MailboxServer server;

  @BeforeAll
  static void addUsers(MailboxServer shared) throws IOException {
    server = shared;
    Users users = new Users(server);
    assertEquals(0, users.put("mona", "administrator", PASSWORD));
    assertEquals(0, users.put("otto", "operator", PASSWORD));
  }

  private static Fields order(String topic, String note) {
    return Fields.of("caveats", List.of("ops = send", "topic = " + topic))
        .with("expires_in", "90d")
        .with("note", note);
  }

  @Test
  void aMintedCapabilityOutlivesTheSessionAndIsListedAsMinted() throws IOException {
    String topic = TestTopics.fresh("minted");
    String note = "shop of " + topic;
    MailboxClient operator = new MailboxClient(server.target());
    operator.putTopic(topic, Fields.NONE).expect(201);
    Browser browser = Browser.signedIn(server.uri(), "mona", PASSWORD);
    JsonNode minted = browser.json(MINT, order(topic, note)).expect(200).json();
    Instant expires = Instant.parse(minted.path("expires").asText());
    assertTrue(expires.isAfter(Instant.now().plus(Duration.ofDays(89))), minted::toString);

    browser.script("/console/session/end", "1").expect(204);
    MailboxClient holder = operator.with(minted.path("capability").asText());
    holder.send(topic, "key", new byte[1]).expect(200);
    holder.topic(topic).expect(403);

    JsonNode listed = listed(operator, "minted", minted.path("nonce").asText());
    assertEquals(note, listed.path("note").asText());
    assertEquals("console:mona", listed.path("minted_by").asText());
    assertTrue(listed(operator, "console", minted.path("nonce").asText()).isMissingNode());
    String audit = operator.get("/v1/audit?action=capability.mint&limit=10000").text();
    assertTrue(audit.contains("note: " + note), audit);
    assertFalse(audit.contains(minted.path("capability").asText()), "a secret");
  }

  private static JsonNode listed(MailboxClient operator, String kind, String nonce)
      throws IOException {
    JsonNode page = operator.get("/v1/capabilities?limit=1000&kind=" + kind).expect(200).json();
    return StreamSupport.stream(page.path("capabilities").spliterator(), false)
        .filter(entry -> entry.path("nonce").asText().equals(nonce))
        .findFirst()
        .orElse(page.path("none"));
  }

  @Test
  void anOperatorDoesNotMint() throws IOException {
    Reply reply =
        Browser.signedIn(server.uri(), "otto", PASSWORD)
            .json(MINT, order("orders", "shop"))
            .expect(403);
    assertEquals("role", reply.reason());
    assertEquals(
        "session",
        new Browser(server.uri()).json(MINT, order("orders", "shop")).expect(401).reason());
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("{}", "[caveats, expires_in, note]"),
        Arguments.of(body("\"topic = orders\"", "1h", "shop"), "[caveats]"),
        Arguments.of(body("\"ops = admin\"", "1h", "shop"), "[caveats[0]]"),
        Arguments.of(body("\"ops = send\",\"ops = revoke\"", "1h", "shop"), "[caveats[1]]"),
        Arguments.of(body("\"ops = send\",\"anything\"", "1h", "shop"), "[caveats[1]]"),
        Arguments.of(body("\"ops = send\",1", "1h", "shop"), "[caveats]"),
        Arguments.of(body("\"ops = send\"", "366d", "shop"), "[expires_in]"),
        Arguments.of(body("\"ops = send\"", "for ever", "shop"), "[expires_in]"),
        Arguments.of(body("\"ops = send\"", "1h", ""), "[note]"),
        Arguments.of(body("\"ops = send\"", "1h", "a\\u202eb"), "[note]"),
        Arguments.of("{\"capability\":\"x\"}", "[capability]"));
  }

  private static String body(String caveats, String life, String note) {
    return "{\"caveats\":[%s],\"expires_in\":\"%s\",\"note\":\"%s\"}"
        .formatted(caveats, life, note);
  }

  @ParameterizedTest
  @MethodSource
  void refused(String body, String fields) throws IOException {
    Reply reply = Browser.signedIn(server.uri(), "mona", PASSWORD).json(MINT, body).expect(400);
    assertEquals(fields, reply.fields().toString());
  }

  @Test
  void mintingAndElevatingHaveOneBound() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "mona", PASSWORD);
    for (int i = 0; i < MOST - 1; i++) {
      browser.json("elevate", Fields.of("op", "revoke")).expect(200);
    }
    browser.json(MINT, order("orders", "shop")).expect(200);
    Reply refused = browser.json(MINT, order("orders", "shop")).expect(429);
    assertEquals("console_elevations", refused.reason());
  }
}
