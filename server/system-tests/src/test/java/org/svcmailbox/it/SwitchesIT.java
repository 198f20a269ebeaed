package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import org.svcmailbox.it.server.ConsoleNoise;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.net.PortOffset;

/** A server whose switches or settings are refused. */
@Tag("nightly")
class SwitchesIT {
  @ParameterizedTest
  @CsvSource({
    "MAILBOX_T_REPLAY, banana, mailbox.t_replay must be a duration",
    "MAILBOX_CAPABILITY_ROOT_KEYS, no-key, mailbox.capability.root_keys"
  })
  void aRefusedSettingEndsTheServerWithACodeThatNoRestartIsWorth(
      String name, String value, String why) {
    try (MailboxServer server = MailboxServer.launch("refused", Map.of(name, value))) {
      ConsoleNoise.assertFailed(server, 78, why);
    }
  }

  @Test
  void aPortThatIsTakenEndsTheServerWithALineThatNamesIt() throws IOException {
    try (MailboxServer server = MailboxServer.prepare("taken", Map.of());
        ServerSocket other = new ServerSocket()) {
      int port = server.port(PortOffset.HTTP);
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      server.launch();
      assertEquals(69, server.awaitEnd(), "exit code");
      List<String> console = server.outputLines();
      assertEquals(
          1,
          console.stream()
              .filter(line -> line.contains("The server cannot listen: "))
              .filter(line -> line.contains(":" + port))
              .count(),
          () -> String.join("\n", console));
      assertFalse(
          console.stream().anyMatch(line -> line.startsWith("\tat ")),
          () -> String.join("\n", console));
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
