package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** A sign-in that is too long ago needs a confirmation. */
@StepUpServer
class ConfirmationIT {
  private static final String PASSWORD = "correct horse battery";
  private static final Fields ADMIN = Fields.of("op", "admin").with("topic", "orders");

  @Test
  void anOldSignInNeedsAConfirmationAndAnotherSessionsDoesNotHelp(MailboxServer server)
      throws IOException {
    assertEquals(0, new Users(server).put("ada", "administrator", PASSWORD));
    Browser browser = new Browser(server.uri());
    browser.signIn("ada", PASSWORD).expect(303);
    Browser later = new Browser(server.uri());
    later.signIn("ada", PASSWORD).expect(303);
    browser.json("elevate", ADMIN).expect(200);
    Deadline.in(Duration.ofSeconds(6L * StepUpServer.CONFIRMED_SECONDS))
        .await(() -> later.json("elevate", ADMIN).status() == 401, () -> "still confirmed");
    Browser other = new Browser(server.uri());
    other.signIn("ada", PASSWORD).expect(303);

    Reply refused = browser.json("elevate", ADMIN).expect(401);
    assertEquals("confirm", refused.reason());
    browser.capability().expect(200);
    Fields wrong = Fields.of("password", "wrong horse battery");
    browser.json("confirm", wrong).expect(403);
    assertEquals("confirm", browser.json("elevate", ADMIN).expect(401).reason());
    browser.json("confirm", Fields.of("password", PASSWORD)).expect(204);
    browser.json("elevate", ADMIN).expect(200);
  }
}
