package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** Sign-in with a form, the session's capability, and the end of a session. */
@LimitedServer
@Tag("liberty")
class PasswordSignInIT {
  private static final String PASSWORD = "correct horse battery";
  private static final Fields MINT = Fields.of("caveats", List.of()).with("expires_in", "1h");

  private static final String SESSION = "mailbox_console";
  private static final String RATE = "rejected_total{reason=\"console_sign_in_rate\"}";
  private static final String DOOR = "busy_rejections_total{endpoint=\"console\"}";
  private static final Duration IDLE = Duration.ofSeconds(LimitedServer.IDLE_SECONDS);

  private static MailboxServer server;
  private static Users users;

  @BeforeAll
  static void addUsers(MailboxServer shared) throws IOException {
    server = shared;
    users = new Users(server);
    assertEquals(0, users.put("vera", "viewer", PASSWORD));
    assertEquals(0, users.put("olga", "operator", PASSWORD));
  }

  private static Browser browser() {
    return new Browser(server.uri());
  }

  private static MailboxClient client(Browser browser) throws IOException {
    String capability = browser.capability().expect(200).json().path("capability").asText();
    return new MailboxClient(server.target().with(capability));
  }

  @Test
  void theFirstStartCreatesAnAdministratorAndLogsThePasswordFile() throws IOException {
    var file = users.directory().resolve("console.password");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    List<String> said =
        server.outputLines().stream().filter(line -> line.contains("first user")).toList();
    assertEquals(1, said.size());
    assertTrue(said.get(0).contains(file.toString()), said::toString);
    assertFalse(String.join("\n", server.outputLines()).contains(users.firstPassword()));
    Browser browser = browser();
    browser.signIn("admin", users.firstPassword()).expect(303);
    JsonNode got = browser.capability().expect(200).json();
    assertEquals("admin", got.path("user").asText());
    assertEquals("administrator", got.path("role").asText());
  }

  @Test
  void aSessionIsExchangedForAShortCapabilityOfTheRole() throws IOException {
    Instant before = Instant.now();
    JsonNode got = Browser.signedIn(server.uri(), "vera", PASSWORD).capability().expect(200).json();
    assertEquals("vera", got.path("user").asText());
    assertEquals("viewer", got.path("role").asText());
    assertEquals("[\"dlq.view\",\"peek\"]", got.path("ops").toString());
    assertEquals("password", got.path("confirm").asText());
    int left = got.path("session_ends_in_s").asInt();
    assertTrue(left <= LimitedServer.IDLE_SECONDS && left > LimitedServer.IDLE_SECONDS - 10);
    Instant expires = Instant.parse(got.path("expires").asText());
    assertTrue(expires.isBefore(Instant.now().plus(Duration.ofMinutes(10)).plusMillis(1)));
    assertTrue(expires.isAfter(before.plus(Duration.ofMinutes(9))));
  }

  @Test
  void aSessionGetsItsLivingCapabilityAgainAndNoOtherSessionDoes() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    String first = browser.capability().expect(200).json().path("capability").asText();
    assertEquals(first, browser.capability().expect(200).json().path("capability").asText());
    assertNotEquals(
        first,
        Browser.signedIn(server.uri(), "vera", PASSWORD)
            .capability()
            .expect(200)
            .json()
            .path("capability")
            .asText());
  }

  @Test
  void signOutEndsTheCapabilityAtOnce() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    MailboxClient vera = client(browser);
    vera.topics().expect(200);
    browser.script("/console/session/end", "1").expect(204);
    assertEquals("revoked", vera.topics().expect(401).json().path("reason").asText());
  }

  @Test
  void aViewerMayOnlyRead() throws IOException {
    MailboxClient vera = client(Browser.signedIn(server.uri(), "vera", PASSWORD));
    vera.topics().expect(200);
    new MailboxClient(server.target()).putTopic("orders", Fields.NONE).expect(201);
    vera.get("/v1/dlq/orders").expect(200);
    vera.get("/v1/audit").expect(403);
    vera.send("orders", "k", new byte[] {1}).expect(403);
    vera.putTopic("orders", Fields.NONE).expect(403);
    vera.post("/v1/capabilities", MINT).expect(403);
  }

  @Test
  void theAuditNamesTheOperator() throws IOException {
    MailboxClient olga = client(Browser.signedIn(server.uri(), "olga", PASSWORD));
    String audit = olga.get("/v1/audit?action=console.*&limit=10000").expect(200).text();
    assertTrue(audit.contains("\"actor\":\"console:olga\""), audit);
    assertTrue(audit.contains("\"action\":\"console.signin\",\"subject\":\"olga\""), audit);
    assertTrue(audit.contains("\"action\":\"console.capability\""), audit);
    assertTrue(audit.contains("\"address\":\"127.0.0.1\""), audit);
    olga.post("/v1/capabilities", MINT).expect(403);
    olga.post("/v1/capabilities/rotate", Fields.NONE).expect(403);
    olga.recv("orders").expect(403);
  }

  @Test
  void theCookieIsRestrictedToTheConsoleAndHiddenFromScripts() throws IOException {
    Reply reply = browser().signIn("vera", PASSWORD).expect(303);
    assertEquals("", reply.header("Strict-Transport-Security"));
    List<String> cookies = reply.cookies();
    assertEquals(1, cookies.size());
    assertTrue(
        cookies
            .get(0)
            .matches(SESSION + "=[A-Za-z0-9_-]{43}; Path=/console; HttpOnly; SameSite=Strict"),
        cookies::toString);
  }

  @Test
  void theCookieDoesNotAuthorizeTheApi() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "olga", PASSWORD);
    for (String path : List.of("/v1/topics", "/v1/audit", "/v1/events?limit=1")) {
      assertEquals(401, browser.get(path).status(), path);
    }
    assertEquals(401, browser.post("/v1/capabilities/rotate").status());
  }

  @Test
  void aChosenSessionTokenIsNotAccepted() throws IOException {
    Browser browser = browser();
    String chosen = "A".repeat(43);
    browser.cookies().put(SESSION, chosen);
    browser.capability().expect(204);
    browser.signIn("vera", PASSWORD).expect(303);
    assertNotEquals(chosen, browser.cookies().get(SESSION));
    Browser attacker = browser();
    attacker.cookies().put(SESSION, chosen);
    attacker.capability().expect(204);
  }

  @Test
  void aSignInReplacesTheBrowsersSession() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    String first = browser.cookies().get(SESSION);
    browser.signIn("olga", PASSWORD).expect(303);
    assertNotEquals(first, browser.cookies().get(SESSION));
    assertEquals("olga", browser.capability().expect(200).json().path("user").asText());
    browser.cookies().put(SESSION, String.valueOf(first));
    browser.capability().expect(204);
  }

  @Test
  void signOutEndsTheSession() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    String session = browser.cookies().get(SESSION);
    browser.script("/console/session/end", "1").expect(204);
    assertFalse(browser.cookies().containsKey(SESSION), "still kept");
    browser.cookies().put(SESSION, String.valueOf(session));
    browser.capability().expect(204);
    browser.script("/console/session/end", "1").expect(204);
  }

  @Test
  void anIdleSessionExpiresDespiteBackgroundRenewal() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    Deadline.in(IDLE.multipliedBy(2))
        .await(
            () -> browser.script("/console/session/capability", "quiet").status() == 204,
            () -> "still signed in");
  }

  @Test
  void theLeastRecentlyUsedSessionIsEvicted() throws IOException {
    Browser first = Browser.signedIn(server.uri(), "vera", PASSWORD);
    Browser second = Browser.signedIn(server.uri(), "vera", PASSWORD);
    Browser third = Browser.signedIn(server.uri(), "vera", PASSWORD);
    first.capability().expect(200);
    third.capability().expect(200);
    Browser fourth = Browser.signedIn(server.uri(), "vera", PASSWORD);
    second.capability().expect(204);
    for (Browser one : List.of(first, third, fourth)) {
      one.capability().expect(200);
    }
  }

  @Test
  void sessionEndpointsRequireTheScriptHeader() throws IOException {
    Browser browser = Browser.signedIn(server.uri(), "vera", PASSWORD);
    browser.post("/console/session/capability").expect(403);
    browser.post("/console/session/end").expect(403);
    browser.script("/console/session/capability", "2").expect(403);
    assertEquals("POST", browser.get("/console/session/capability").expect(405).header("Allow"));
    browser.capability().expect(200);
  }

  @ParameterizedTest
  @CsvSource({
    "Origin, https://evil.example",
    "Origin, null",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site"
  })
  void aFormOfAnotherOriginIsRefused(String header, String value) throws IOException {
    Browser browser = browser().with(Map.of(header, value));
    assertEquals(List.of(), browser.signIn("vera", PASSWORD).expect(403).cookies());
  }

  @Test
  void aFormOfTheSameOriginIsAccepted() throws IOException {
    String origin = "http://127.0.0.1:" + server.uri().getPort();
    browser().with(Map.of("Origin", origin)).signIn("vera", PASSWORD).expect(303);
  }

  @Test
  void aWrongPasswordLooksLikeAnUnknownUser() throws IOException {
    Reply wrong = browser().signIn("vera", "another horse battery").expect(403);
    Reply unknown = browser().signIn("nera", PASSWORD).expect(403);
    assertEquals(wrong.text().replace("vera", "nera"), unknown.text());
    assertEquals(List.of(), wrong.cookies());
  }

  @Test
  void theThrottleAlsoDelaysTheRightPassword() throws IOException {
    assertEquals(0, users.put("tess", "viewer", PASSWORD));
    for (int i = 0; i < 5; i++) {
      browser().signIn("tess", "wrong" + i).expect(403);
    }
    Scrape before = scrape();
    // The wait is 1 s and doubles with each failure: on a slow machine the first may be over.
    Reply told = browser().signIn("tess", "wrong");
    while (told.status() == 403) {
      told = browser().signIn("tess", "wrong");
    }
    told.expect(429);
    Scrape after = scrape();
    for (String metric : List.of(RATE, DOOR)) {
      assertEquals(1, after.value(metric) - before.value(metric), metric);
    }
    assertTrue(Integer.parseInt(told.header("Retry-After")) >= 1);
    assertTrue(told.text().contains("Too many attempts"), told::text);
    browser().signIn("vera", PASSWORD).expect(303);
    Deadline.in(Duration.ofMinutes(2))
        .await(() -> browser().signIn("tess", PASSWORD).status() == 303, () -> "locked out");
  }

  private static Scrape scrape() throws IOException {
    return Scrape.of(
        new MailboxClient(server.target()).with(null).get("/metrics").expect(200).text());
  }

  @Test
  void aUserWithoutARoleIsRefused() throws IOException {
    assertEquals(0, users.put("nora", "viewer", PASSWORD));
    var roles = users.directory().resolve("console-roles.properties");
    String text = Files.readString(roles);
    Files.writeString(
        roles, text.replace("nora=viewer", "nora=admin"), StandardOpenOption.TRUNCATE_EXISTING);
    Reply reply = browser().signIn("nora", PASSWORD).expect(403);
    assertTrue(reply.text().contains("no role of the console"), reply::text);
    assertEquals(List.of(), reply.cookies());
  }

  @Test
  void usersChangeWithoutARestart() throws IOException {
    assertEquals(0, users.put("uma", "viewer", PASSWORD));
    browser().signIn("uma", PASSWORD).expect(303);
    assertEquals(0, users.put("uma", "operator", "another horse battery"));
    Browser browser = browser();
    browser.signIn("uma", "another horse battery").expect(303);
    assertEquals("operator", browser.capability().expect(200).json().path("role").asText());
    browser().signIn("uma", PASSWORD).expect(403);
    assertEquals(0, users.put("uma", "none", ""));
    browser().signIn("uma", "another horse battery").expect(403);
    assertNotEquals(0, users.put("uma", "admin", PASSWORD));
    assertNotEquals(0, users.put("uma", "viewer", "short"));
    assertNotEquals(0, users.put("u=a", "viewer", PASSWORD));
  }

  @ParameterizedTest
  @CsvSource({
    "#/dlq/orders?reason=expired, /console/#/dlq/orders?reason=expired",
    "/dlq/orders, /console/#/dlq/orders",
    "https://evil.example/, /console/#https://evil.example/",
    "//evil.example, /console/#//evil.example",
    "'a b', /console/"
  })
  void signInReturnsToTheRequestedPlace(String to, String location) throws IOException {
    Browser browser = browser();
    Reply reply =
        browser.form("/console/signin", Map.of("user", "vera", "password", PASSWORD, "to", to));
    assertEquals(location, reply.expect(303).header("Location"));
    Reply again = browser.get("/console/signin?to=" + Browser.encoded(to));
    assertEquals(location, again.expect(303).header("Location"));
  }

  @Test
  void aLineBreakInThePlaceInjectsNoHeader() throws IOException {
    Reply reply =
        browser()
            .form(
                "/console/signin",
                Map.of("user", "vera", "password", PASSWORD, "to", "#a\r\nX-Evil: 1"));
    assertEquals("/console/", reply.expect(303).header("Location"));
    assertEquals("", reply.header("X-Evil"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"><script>alert(1)</script>", "' onfocus=alert(1) x='", "<img src=x>"})
  void echoedInputIsEscaped(String hostile) throws IOException {
    Reply reply =
        browser()
            .form("/console/signin", Map.of("user", hostile, "password", "x", "to", "#" + hostile));
    assertFalse(reply.expect(403).text().contains(hostile), reply::text);
    assertTrue(browser().get("/console/signin").text().contains("name=\"user\" value=\"\""));
  }
}
