package org.svcmailbox.it.amnesia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/**
 * A server in amnesia writes nothing of what it is told to any file. {@link WrittenCanaries} proves
 * that the search would find it.
 */
@Tag("nightly")
class AmnesiaIT {
  @TempDir private Path temporary;

  @Test
  void nothingIsOnDiskAndNothingIsLeft() throws Exception {
    Map<String, String> settings =
        Map.of("MAILBOX_AMNESIA", "true", "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    try (MailboxServer server = MailboxServer.start("amnesia", settings)) {
      CanarySearch search = new CanarySearch(server, temporary);
      Soak soak = new Soak(operator(server));
      soak.run();
      assertEquals(Map.of(), search.found(), "while it runs");
      soak.assertProfile("ephemeral");
      server.kill9();
      assertEquals(Map.of(), search.found(), "after kill -9");

      server.restart();
      operator(server).topic(Soak.TOPIC).expect(404);
      assertEquals(0, operator(server).topics().expect(200).json().path("topics").size());
      Soak again = new Soak(operator(server));
      again.run();
      assertEquals(0, server.terminate());
      assertEquals(Map.of(), search.found(), "after a stop");
      assertTrue(Files.notExists(server.operatorFile()), "the operator's capability is left");
    }
  }

  @Test
  void theFlagInAFileIsRefusedByTheNameOfItsVariable() throws IOException {
    Path file = temporary.resolve("mailbox.toml");
    Files.writeString(file, "[mailbox]\namnesia = true\n");
    Map<String, String> settings = Map.of("MAILBOX_CONFIG_FILE", file.toString());
    try (MailboxServer server = MailboxServer.launch("half-amnesia", settings)) {
      assertEquals(78, server.awaitEnd(), "exit code");
      assertTrue(server.outputLines().stream().anyMatch(AmnesiaIT::isRefusal));
    }
  }

  private static boolean isRefusal(String line) {
    return line.contains("In amnesia the database must be in memory only")
        && line.contains("environment variable MAILBOX_AMNESIA");
  }

  private static MailboxClient operator(MailboxServer server) {
    return new MailboxClient(server.target());
  }
}
