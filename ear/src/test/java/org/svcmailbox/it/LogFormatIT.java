package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** The log as JSON, and what the start script makes of its switches. */
class LogFormatIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> FIELDS =
      List.of("timestamp", "level", "loggerName", "threadName", "message", "mdc");

  @Test
  void everyLineIsAnObjectThatNamesItsRequest() throws IOException {
    String name = "named-by-its-client";
    try (MailboxServer server = MailboxServer.start("json", Map.of("MAILBOX_LOG_FORMAT", "json"))) {
      MailboxClient client = new MailboxClient(server.target());
      client.withHeaders(Map.of("X-Correlation-Id", name)).topic("x%0A").expect(400);
      Deadline.in(Duration.ofSeconds(5))
          .await(() -> Files.readString(server.log()).contains(name), () -> "a line of " + name);
      assertEquals(0, server.terminate());

      List<JsonNode> lines = parsed(Files.readAllLines(server.log()));
      lines.forEach(
          line -> FIELDS.forEach(field -> assertTrue(line.hasNonNull(field), line.toString())));
      JsonNode refusal = only(lines, name);
      assertEquals("INFO", refusal.path("level").asText());
      assertTrue(refusal.path("message").asText().contains(" 400 E_SCHEMA"), refusal.toString());
      // The console has the same lines, between those of the start script.
      List<String> console = server.outputLines().stream().filter(l -> l.startsWith("{")).toList();
      assertEquals(lines.size(), parsed(console).size());
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

  private static JsonNode only(List<JsonNode> lines, String name) {
    List<JsonNode> named =
        lines.stream().filter(l -> l.path("mdc").path("corr_id").asText().equals(name)).toList();
    assertEquals(1, named.size(), named::toString);
    return named.get(0);
  }

  private static List<JsonNode> parsed(List<String> lines) throws IOException {
    List<JsonNode> parsed = new ArrayList<>();
    for (String line : lines) {
      parsed.add(MAPPER.readTree(line));
    }
    assertFalse(parsed.isEmpty());
    return parsed;
  }
}
