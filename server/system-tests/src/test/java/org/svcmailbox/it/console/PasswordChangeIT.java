package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.SharedServer;

/** Users change their password. */
@ExtendWith(SharedServer.class)
@Tag("liberty")
class PasswordChangeIT {
  private static final String OLD = "correct horse battery";
  private static final String NEXT = "bessere Pferde f\u00fcr \u20ac 5 & mehr";
  private static final String SESSION = "mailbox_console";

  private static MailboxServer server;
  private static Users users;

  @BeforeAll
  static void find(MailboxServer shared) {
    server = shared;
    users = new Users(server);
  }

  private static Browser browser() {
    return new Browser(server.uri());
  }

  /** Adds a user and signs in. */
  private static Browser added(String user) throws IOException {
    assertEquals(0, users.put(user, "viewer", OLD));
    return Browser.signedIn(server.uri(), user, OLD);
  }

  private static String capability(Browser browser) throws IOException {
    JsonNode got = browser.capability().expect(200).json();
    assertTrue(got.path("password_change").asBoolean(), "not offered");
    return got.path("capability").asText();
  }

  @Test
  void theNewPasswordCountsAtOnceAndTheOldOneNoMore() throws IOException {
    added("cora").changePassword(OLD, NEXT).expect(204);
    browser().signIn("cora", OLD).expect(403);
    Browser again = Browser.signedIn(server.uri(), "cora", NEXT);
    again.changePassword(NEXT, OLD).expect(204);
    browser().signIn("cora", NEXT).expect(403);
    Browser.signedIn(server.uri(), "cora", OLD).capability().expect(200);
  }

  @Test
  void otherSessionsEndAndThisOneGoesOnWithAnotherToken() throws IOException {
    Browser browser = added("dana");
    Browser other = Browser.signedIn(server.uri(), "dana", OLD);
    MailboxClient mine = new MailboxClient(server.target().with(capability(browser)));
    MailboxClient others = new MailboxClient(server.target().with(capability(other)));
    others.topics().expect(200);
    String token = String.valueOf(browser.cookies().get(SESSION));

    browser.changePassword(OLD, NEXT).expect(204);

    other.capability().expect(204);
    assertEquals("revoked", others.topics().expect(401).json().path("reason").asText());
    assertEquals("revoked", mine.topics().expect(401).json().path("reason").asText());
    new MailboxClient(server.target().with(capability(browser))).topics().expect(200);
    assertNotEquals(token, browser.cookies().get(SESSION));
    browser.cookies().put(SESSION, token);
    browser.capability().expect(204);
  }

  @Test
  void nobodyElsesSessionEnds() throws IOException {
    Browser bystander = added("eric");
    added("erica").changePassword(OLD, NEXT).expect(204);
    bystander.capability().expect(200);
  }

  @Test
  void wrongPasswordsAreCountedByTheSignInThrottle() throws IOException {
    Browser browser = added("fred");
    for (int i = 0; i < 5; i++) {
      Reply wrong = browser.changePassword("wrong" + i, NEXT).expect(403);
      assertTrue(wrong.text().contains("current password is wrong"), wrong::text);
    }
    // The wait is 1 s and doubles with each failure: on a slow machine the first may be over.
    Reply told = browser.changePassword("wrong", NEXT);
    while (told.status() == 403) {
      told = browser.changePassword("wrong", NEXT);
    }
    assertTrue(Integer.parseInt(told.expect(429).header("Retry-After")) >= 1);
    browser().signIn("fred", OLD).expect(429);
    browser.capability().expect(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "elevenchars", OLD, "twelve\tcharacters"})
  void anUnsuitablePasswordIsRefusedWithTheReason(String next) throws IOException {
    Browser browser = added("gina");
    Reply reply = browser.changePassword(OLD, next).expect(400);
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertFalse(reply.json().path("detail").asText().isEmpty(), reply::text);
    browser().signIn("gina", OLD).expect(303);
  }

  @Test
  void onlyThePageOfASessionChangesAPassword() throws IOException {
    Browser browser = added("hugo");
    Map<String, String> fields = Map.of("current", OLD, "next", NEXT);
    browser.form("/console/session/password", fields).expect(403);
    browser.script("/console/session/password", "1").expect(400);
    browser.get("/console/session/password").expect(405);
    browser().changePassword(OLD, NEXT).expect(401);
    browser().signIn("hugo", OLD).expect(303);
  }

  @Test
  void theAuditHasChangesAndAttemptsWithoutPasswords() throws IOException {
    Browser browser = added("ines");
    browser.changePassword("some other password", NEXT).expect(403);
    browser.changePassword(OLD, NEXT).expect(204);
    MailboxClient root = new MailboxClient(server.target());
    String audit = root.get("/v1/audit?action=console.*&limit=10000").expect(200).text();
    assertTrue(audit.contains("\"action\":\"console.password\",\"subject\":\"ines\""), audit);
    String said = audit + String.join("\n", server.outputLines());
    assertFalse(said.contains(OLD) || said.contains(NEXT) || said.contains("some other password"));
  }

  @Test
  void aUserOfAnotherPlaceIsSentThere() throws IOException {
    Browser browser = added("kira");
    // The session lives on, as that of a user of another realm would.
    assertEquals(0, users.put("kira", "none", ""));
    JsonNode got = browser.capability().expect(200).json();
    assertFalse(got.path("password_change").asBoolean());
    Reply reply = browser.changePassword(OLD, NEXT).expect(409);
    assertTrue(reply.text().contains("where your user account is managed"), reply::text);
  }
}
