package org.svcmailbox.it.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.server.MailboxServer;

/** Settings with which the rendezvous door does not open. */
class ClosedDoorIT {
  private static final int REFUSED = 78;

  @Test
  void everyViolationIsOneLineAndNoServerStarts() {
    Map<String, String> settings =
        Map.of(
            "MAILBOX_RENDEZVOUS_ENABLED", "true",
            "MAILBOX_RENDEZVOUS_LISTEN_ADDR", "everywhere",
            "MAILBOX_RENDEZVOUS_AUTH_MODE", "none",
            "MAILBOX_RENDEZVOUS_COLOUR", "green");
    try (MailboxServer server = MailboxServer.launch("rendezvous-refused", settings)) {
      assertEquals(REFUSED, server.awaitEnd());
      List<String> lines = server.outputLines();
      assertEquals(3, lines.size(), lines::toString);
      for (String key : List.of(".listen_addr", ".auth_mode", "_colour")) {
        String start = "mailbox: mailbox.rendezvous" + key + " ";
        assertEquals(1, lines.stream().filter(line -> line.startsWith(start)).count(), start);
      }
    }
  }

  @Test
  void aKeyThatIsNoPemIsRefused() {
    Map<String, String> settings =
        Map.of(
            "MAILBOX_RENDEZVOUS_ENABLED", "true",
            "MAILBOX_RENDEZVOUS_TLS_CERT_PATH", "/etc/hostname",
            "MAILBOX_RENDEZVOUS_TLS_KEY_PATH", "/missing/key.pem");
    try (MailboxServer server = MailboxServer.launch("rendezvous-no-key", settings)) {
      assertEquals(REFUSED, server.awaitEnd());
      assertEquals(2, server.outputLines().size(), server.outputLines()::toString);
    }
  }
}
