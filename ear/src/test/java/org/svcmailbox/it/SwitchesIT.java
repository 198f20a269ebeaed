package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.server.MailboxServer;

/** What the start script makes of switches that are neither on nor off. */
class SwitchesIT {
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
