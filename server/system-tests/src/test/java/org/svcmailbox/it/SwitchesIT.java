package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.PortOffset;

/** A server whose switches or settings are refused. */
@Tag("nightly")
class SwitchesIT {
  @Test
  void aRefusedSettingEndsTheServerWithACodeThatNoRestartIsWorth() {
    Map<String, String> settings = Map.of("MAILBOX_T_REPLAY", "banana");
    try (MailboxServer server = MailboxServer.launch("refused", settings)) {
      assertEquals(78, server.awaitEnd(), "exit code");
      assertTrue(
          server.outputLines().stream()
              .anyMatch(line -> line.contains("mailbox.t_replay must be a duration")));
    }
  }

  @Test
  void aPortThatIsTakenEndsTheServerWithALineThatNamesIt() throws IOException {
    try (MailboxServer server = MailboxServer.prepare("taken", Map.of());
        ServerSocket other = new ServerSocket()) {
      int port = server.port(PortOffset.HTTP);
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      server.launch();
      assertEquals(70, server.awaitEnd(), "exit code");
      assertTrue(
          server.outputLines().stream()
              .anyMatch(line -> line.contains("a listener failed") && line.contains(":" + port)),
          () -> String.join("\n", server.outputLines()));
    }
  }

  @ParameterizedTest
  @CsvSource({"MAILBOX_LOG_FORMAT, xml, text or json", "MAILBOX_TRACING, yes, true or false"})
  void aSwitchThatIsNeitherIsSaidInOneLineAndTheServerEnds(
      String name, String value, String allowed) {
    AssertionError failure =
        assertThrows(
            AssertionError.class, () -> MailboxServer.start("no-switch", Map.of(name, value)));
    assertEquals(
        List.of(
            "the server ended while starting",
            "mailbox: " + name + "=" + value + ": must be " + allowed),
        String.valueOf(failure.getMessage()).lines().toList());
  }
}
