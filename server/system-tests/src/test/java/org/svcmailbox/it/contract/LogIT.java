package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;

/** A client's mistake is one line in the server's log. */
@ContractTest
@Isolated
class LogIT {
  private final MailboxServer server;
  private final MailboxClient client;

  LogIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @Test
  void eachRefusedRequestIsOneLineWithItsStatusAndWithoutAStackTrace() throws IOException {
    String missing = TestTopics.fresh("missing");
    String malformed = TestTopics.fresh("malformed");
    int before = server.outputLines().size();
    client.topic(missing).expect(404);
    client.putTopic(malformed, Fields.of("max_attempts", 0)).expect(400);

    awaitLine(missing);
    awaitLine(malformed);
    List<String> all = server.outputLines();
    List<String> lines = all.subList(before, all.size());
    assertEquals(2, lines.size(), () -> String.join("\n", lines));
    assertEquals(1, count(lines, missing, "404"));
    assertEquals(1, count(lines, malformed, "400"));
  }

  @Test
  @OnlyOnWildFly("a path with a line break is refused before the application")
  void whatAClientWritesCannotForgeALine() throws IOException {
    String forged = TestTopics.fresh("forged");
    String last = TestTopics.fresh("last");
    client.topic("x%0A" + forged).expect(400);
    client.topic(last).expect(404);
    awaitLine(last);
    List<String> lines = server.outputLines();
    assertEquals(0, lines.stream().filter(line -> line.contains(forged)).count());
  }

  @Test
  void noLineHasACapabilityThatAClientWroteIntoAPath() throws IOException {
    String token = "AgFA" + "aB3_-".repeat(20);
    String last = TestTopics.fresh("last");
    client.topic(token).expect(404);
    client.topic("%41%67%46%41" + token.substring(4)).expect(404);
    client.withHeaders(Map.of("X-Correlation-Id", token)).topic(last).expect(404);
    awaitLine(last);
    assertEquals(0, server.outputLines().stream().filter(line -> line.contains("aB3_-")).count());
  }

  @Test
  @OnlyOnWildFly("the correlation id in log lines (`log`)")
  void aLineNamesItsRequestAndOnlyThat() throws IOException {
    String named = TestTopics.fresh("named");
    String unnamed = TestTopics.fresh("unnamed");
    client.withHeaders(Map.of("X-Correlation-Id", "id-of-" + named)).topic(named).expect(404);
    client.topic(unnamed).expect(404);
    awaitLine("[id-of-" + named + "] GET /v1/topics/" + named);
    awaitLine(unnamed);
    List<String> lines = server.outputLines();
    assertEquals(1, lines.stream().filter(line -> line.contains("id-of-" + named)).count());
    assertEquals(
        1, lines.stream().filter(line -> line.contains("] GET /v1/topics/" + unnamed)).count());
  }

  private void awaitLine(String text) {
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> server.outputLines().stream().anyMatch(line -> line.contains(text)),
            () -> "a line with " + text);
  }

  private static long count(List<String> lines, String text, String status) {
    return lines.stream().filter(line -> line.contains(text) && line.contains(status)).count();
  }
}
