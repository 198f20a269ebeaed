package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** A sign-in that is too long ago needs a confirmation. */
@StepUpServer
@Tag("nightly")
class ConfirmationIT {
  private static final String PASSWORD = "correct horse battery";
  private static final int CAPABILITIES = 16 * StepUpServer.SESSIONS;
  private static final Fields ADMIN = Fields.of("op", "admin").with("topic", "orders");

  @Test
  void anOldSignInNeedsAConfirmationAndAnotherSessionsDoesNotHelp(MailboxServer server)
      throws IOException {
    assertEquals(0, new Users(server).put("ada", "administrator", PASSWORD));
    Browser browser = Browser.signedIn(server.uri(), "ada", PASSWORD);
    Browser later = Browser.signedIn(server.uri(), "ada", PASSWORD);
    browser.json("elevate", ADMIN).expect(200);
    Deadline.in(Duration.ofSeconds(6L * StepUpServer.CONFIRMED_SECONDS))
        .await(() -> later.json("elevate", ADMIN).status() == 401, () -> "still confirmed");
    Browser.signedIn(server.uri(), "ada", PASSWORD);

    Reply refused = browser.json("elevate", ADMIN).expect(401);
    assertEquals("confirm", refused.reason());
    browser.capability().expect(200);
    Fields wrong = Fields.of("password", "wrong horse battery");
    browser.json("confirm", wrong).expect(403);
    assertEquals("confirm", browser.json("elevate", ADMIN).expect(401).reason());
    browser.json("confirm", Fields.of("password", PASSWORD)).expect(204);
    browser.json("elevate", ADMIN).expect(200);
  }

  @Test
  void aUserMeetsABoundOfCapabilitiesAndNoOtherUserDoes(MailboxServer server) throws IOException {
    Users users = new Users(server);
    assertEquals(0, users.put("mina", "viewer", PASSWORD));
    assertEquals(0, users.put("vera", "viewer", PASSWORD));
    MailboxClient operator = new MailboxClient(server.target());
    int minted = 0;
    Reply last = Browser.signedIn(server.uri(), "mina", PASSWORD).capability();
    while (last.status() == 200 && minted < CAPABILITIES) {
      minted++;
      last = Browser.signedIn(server.uri(), "mina", PASSWORD).capability();
    }
    assertTrue(minted > CAPABILITIES / 2, minted + " are no share");
    assertTrue(Integer.parseInt(last.expect(429).header("Retry-After")) >= 1);
    assertEquals("console_mintings", last.reason());
    Browser.signedIn(server.uri(), "vera", PASSWORD).capability().expect(200);
    Scrape scrape = Scrape.of(operator.with(null).get("/metrics").expect(200).text());
    assertEquals(CAPABILITIES, scrape.value("bound_capacity{bound=\"console_mintings\"}"));
    operator.mint();
  }
}
