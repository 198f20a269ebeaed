package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.SharedServer;

/** Each role may do its row, and an administrator more after elevating. */
@ExtendWith(SharedServer.class)
@Tag("liberty")
class ElevationIT {
  private static final String PASSWORD = "correct horse battery";
  private static final String ELEVATE = "elevate";
  private static final Fields ADMIN_ORDERS = Fields.of("op", "admin").with("topic", "orders");
  private static final int MOST = 10;

  private static MailboxServer server;
  private static Users users;

  @BeforeAll
  static void addUsers(MailboxServer shared) throws IOException {
    server = shared;
    users = new Users(server);
    assertEquals(0, users.put("vic", "viewer", PASSWORD));
    assertEquals(0, users.put("opal", "operator", PASSWORD));
    assertEquals(0, users.put("ada", "administrator", PASSWORD));
  }

  private static MailboxClient client(Reply reply) throws IOException {
    String capability = reply.expect(200).json().path("capability").asText();
    return new MailboxClient(server.target().with(capability));
  }

  private static MailboxClient operator() {
    return new MailboxClient(server.target());
  }

  @ParameterizedTest
  @CsvSource({
    "vic, viewer, 'dlq.view,peek', 403, 403",
    "opal, operator, 'dlq,dlq.edit,peek,audit,pause', 200, 403",
    "ada, administrator, 'dlq,dlq.edit,peek,audit,pause', 200, 200"
  })
  void eachRoleMayDoItsRow(String user, String role, String ops, int pauses, int elevates)
      throws IOException {
    String topic = TestTopics.fresh("roles");
    operator().putTopic(topic, Fields.NONE).expect(201);
    Browser browser = Browser.signedIn(server.uri(), user, PASSWORD);
    JsonNode got = browser.capability().expect(200).json();
    assertEquals(role, got.path("role").asText());
    assertEquals(List.of(ops.split(",", -1)), texts(got.path("ops")));

    MailboxClient own = client(browser.capability());
    own.topic(topic).expect(200);
    own.get("/v1/audit").expect(pauses);
    own.post("/v1/topics/" + topic + "/pause", Fields.NONE).expect(pauses);
    own.post("/v1/topics/" + topic + "/resume", Fields.NONE).expect(pauses);
    own.putTopic(topic, Fields.NONE).expect(403);
    own.post("/v1/topics/" + topic + "/purge", Fields.NONE).expect(403);
    own.deleteTopic(topic).expect(403);
    own.send(topic, "key", new byte[1]).expect(403);
    own.post("/v1/capabilities/revoke", Fields.of("nonce", "0".repeat(32))).expect(403);

    Reply elevated = browser.json(ELEVATE, Fields.of("op", "admin").with("topic", topic));
    assertEquals(elevates, elevated.status(), elevated::text);
    if (elevates == 403) {
      assertEquals("role", elevated.json().path("reason").asText());
    }
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  @Test
  void anAdministratorElevatesForOneTopicAndAMinute() throws IOException {
    String topic = TestTopics.fresh("elevated");
    String other = TestTopics.fresh("elevated");
    operator().putTopic(other, Fields.NONE).expect(201);
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    Instant before = Instant.now();
    Reply reply = browser.json(ELEVATE, Fields.of("op", "admin").with("topic", topic));
    Instant expires = Instant.parse(reply.expect(200).json().path("expires").asText());
    assertFalse(expires.isBefore(before.plusSeconds(59)), expires::toString);
    assertFalse(expires.isAfter(Instant.now().plusSeconds(60)), expires::toString);

    MailboxClient elevated = client(reply);
    elevated.putTopic(topic, Fields.NONE).expect(201);
    elevated.post("/v1/topics/" + topic + "/purge", Fields.NONE).expect(200);
    elevated.deleteTopic(other).expect(403);
    elevated.send(topic, "key", new byte[1]).expect(403);
    elevated
        .post("/v1/capabilities", Fields.of("caveats", List.of()).with("expires_in", "1h"))
        .expect(403);
    elevated.post("/v1/capabilities/rotate", Fields.NONE).expect(403);

    client(browser.json(ELEVATE, Fields.of("op", "send").with("topic", topic)))
        .send(topic, "key", new byte[1])
        .expect(200);
    elevated.deleteTopic(topic).expect(200);

    String audit = operator().get("/v1/audit?action=console.elevate&limit=10000").text();
    assertTrue(audit.contains("ops = admin; topic = " + topic + "; expires < "), audit);
    assertTrue(audit.contains("\"actor\":\"console:ada\""), audit);
  }

  @Test
  void anAdministratorRevokesWithoutATopic() throws IOException {
    String victim = operator().mint();
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    MailboxClient revoker = client(browser.json(ELEVATE, Fields.of("op", "revoke")));
    revoker.post("/v1/capabilities/revoke", Fields.of("capability", victim)).expect(200);
    assertEquals("revoked", operator().with(victim).topics().expect(401).reason());
    revoker.post("/v1/capabilities/revoke", Fields.of("key_id", "any")).expect(403);
    revoker.topics().expect(403);
  }

  @Test
  void signOutEndsElevatedCapabilitiesAtOnce() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    MailboxClient elevated = client(browser.json(ELEVATE, ADMIN_ORDERS));
    elevated.putTopic("orders", Fields.NONE);
    browser.script("/console/session/end", "1").expect(204);
    assertEquals("revoked", elevated.topic("orders").expect(401).reason());
    assertEquals("session", browser.json(ELEVATE, ADMIN_ORDERS).expect(401).reason());
  }

  @Test
  void aSessionElevatesTenTimesAMinute() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    for (int i = 0; i < MOST; i++) {
      browser.json(ELEVATE, Fields.of("op", "everything")).expect(400);
    }
    for (int i = 0; i < MOST; i++) {
      browser.json(ELEVATE, ADMIN_ORDERS).expect(200);
    }
    Reply refused = browser.json(ELEVATE, ADMIN_ORDERS).expect(429);
    assertEquals("console_elevations", refused.reason());
    int wait = Integer.parseInt(refused.header("Retry-After"));
    assertTrue(wait > 0 && wait <= 60, refused::text);
    Browser.signedIn(server.uri(), "ada", PASSWORD).json(ELEVATE, ADMIN_ORDERS).expect(200);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("{}", "[op]"),
        Arguments.of("{\"op\":\"admin\"}", "[topic]"),
        Arguments.of("{\"op\":\"send\"}", "[topic]"),
        Arguments.of("{\"op\":\"revoke\",\"topic\":\"orders\"}", "[topic]"),
        Arguments.of("{\"op\":\"dlq\",\"topic\":\"orders\"}", "[op]"),
        Arguments.of("{\"op\":\"admin\",\"topic\":\"orders.*\"}", "[topic]"),
        Arguments.of("{\"op\":\"admin\",\"topic\":\"a\\nops = admin\"}", "[topic]"),
        Arguments.of("{\"op\":1,\"topic\":[],\"life\":\"1h\"}", "[op, topic, life]"),
        Arguments.of("{\"op\":\"admin\",\"op\":\"send\",\"topic\":\"orders\"}", "[body]"),
        Arguments.of("op=admin&topic=orders", "[body]"),
        Arguments.of("", "[body]"));
  }

  @ParameterizedTest
  @MethodSource
  void refused(String body, String fields) throws IOException {
    Reply reply = Browser.signedIn(server.uri(), "ada", PASSWORD).json(ELEVATE, body).expect(400);
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals("E_SCHEMA", reply.json().path("code").asText());
    assertEquals(fields, reply.fields().toString());
  }

  @Test
  void aBodyHasABound() throws IOException {
    String large = "{\"op\":\"admin\",\"topic\":\"" + "t".repeat(16 * 1024) + "\"}";
    Browser.signedIn(server.uri(), "ada", PASSWORD).json(ELEVATE, large).expect(413);
  }

  @ParameterizedTest
  @ValueSource(strings = {ELEVATE, "confirm"})
  void onlyThePageOfASessionCalls(String call) throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    String path = "/console/session/" + call;
    browser.post(path).expect(403);
    browser.get(path).expect(405);
    browser.script(path, "1").expect(400);
    assertEquals(
        "session", new Browser(server.uri()).json(call, ADMIN_ORDERS).expect(401).reason());
  }

  @Test
  void aConfirmationTakesTheRightPasswordAndIsThrottled() throws IOException {
    assertEquals(0, users.put("abel", "administrator", PASSWORD));
    Browser browser = Browser.signedIn(server.uri(), "abel", PASSWORD);
    browser.json("confirm", Fields.of("password", PASSWORD)).expect(204);
    Fields wrong = Fields.of("password", "wrong horse battery");
    for (int i = 0; i < 5; i++) {
      assertEquals("password", browser.json("confirm", wrong).expect(403).reason());
    }
    // The wait is 1 s and doubles with each failure: on a slow machine the first may be over.
    Reply told = browser.json("confirm", wrong);
    while (told.status() == 403) {
      told = browser.json("confirm", wrong);
    }
    assertTrue(Integer.parseInt(told.expect(429).header("Retry-After")) >= 1);
    new Browser(server.uri()).signIn("abel", PASSWORD).expect(429);
    String audit = operator().get("/v1/audit?action=console.confirm&limit=10000").text();
    assertTrue(audit.contains("\"actor\":\"console:abel\""), audit);
    assertFalse(audit.contains(PASSWORD), "a password");
  }

  @Test
  void aConfirmationNeedsAPassword() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    for (String password : List.of("", "p".repeat(1_001))) {
      Reply reply = browser.json("confirm", Fields.of("password", password)).expect(400);
      assertEquals("password", reply.json().at("/errors/0/field").asText());
    }
  }

  @Test
  void whoIsNoAdministratorAnyMoreDoesNotConfirm() throws IOException {
    assertEquals(0, users.put("amos", "administrator", PASSWORD));
    Browser browser = Browser.signedIn(server.uri(), "amos", PASSWORD);
    assertEquals(0, users.put("amos", "viewer", PASSWORD));
    Fields password = Fields.of("password", PASSWORD);
    assertEquals("role", browser.json("confirm", password).expect(403).reason());
  }
}
