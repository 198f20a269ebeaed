package org.svcmailbox.it.amnesia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.WrittenFiles;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A server in amnesia writes nothing of what it is told to any file, and the search that says so
 * finds it where a durable server does write it.
 */
class AmnesiaIT {
  /** What a durable server does not write either: it is hashed and forgotten. */
  private static final Set<Canary> NEVER_WRITTEN = EnumSet.of(Canary.SHARD_KEY);

  @TempDir private Path temporary;

  @Test
  void nothingIsOnDiskAndNothingIsLeft() throws Exception {
    try (MailboxServer server = start("amnesia", "true")) {
      Soak soak = new Soak(operator(server));
      soak.run();
      assertEquals(Map.of(), found(server), "while it runs");
      assertProfile(server, "ephemeral");
      server.kill9();
      assertEquals(Map.of(), found(server), "after kill -9");

      server.restart();
      operator(server).topic(Soak.TOPIC).expect(404);
      assertEquals(0, operator(server).topics().expect(200).json().path("topics").size());
      Soak again = new Soak(operator(server));
      again.run();
      assertEquals(0, server.terminate());
      assertEquals(Map.of(), found(server), "after a stop");
      assertTrue(Files.notExists(server.operatorFile()), "the operator's capability is left");
    }
  }

  @Test
  void withoutAmnesiaTheSameSearchFindsItAndDeadLettersSurvive() throws Exception {
    try (MailboxServer server = start("no-amnesia", "false")) {
      Soak soak = new Soak(operator(server));
      soak.run();
      assertProfile(server, "durable");
      long dead = soak.dead();
      assertEquals(EnumSet.complementOf(EnumSet.copyOf(NEVER_WRITTEN)), found(server).keySet());
      server.kill9();
      server.restart();
      assertEquals(
          dead, operator(server).topic(Soak.TOPIC).expect(200).json().path("dlq").asLong());
      assertTrue(
          found(server).containsKey(Canary.NACK_REASON), "the last error of the dead letters");
    }
  }

  @Test
  void theFlagInAFileIsRefusedByTheNameOfItsVariable() throws Exception {
    Path file = Files.writeString(temporary.resolve("mailbox.toml"), "");
    Map<String, String> settings = Map.of("MAILBOX_CONFIG_FILE", file.toString());
    try (MailboxServer server = MailboxServer.start("half-amnesia", settings)) {
      server.terminate();
      Files.writeString(file, "[mailbox]\namnesia = true\n");
      server.launch();
      Deadline.in(Duration.ofMinutes(1))
          .await(
              () -> server.outputLines().stream().anyMatch(AmnesiaIT::isRefusal),
              () -> "the refusal");
    }
  }

  private static boolean isRefusal(String line) {
    return line.contains("In amnesia the database must be in memory only")
        && line.contains("environment variable MAILBOX_AMNESIA");
  }

  private MailboxServer start(String name, String amnesia) {
    return MailboxServer.start(
        name,
        Map.of("MAILBOX_AMNESIA", amnesia, "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary));
  }

  private static MailboxClient operator(MailboxServer server) {
    return new MailboxClient(server.target());
  }

  private static void assertProfile(MailboxServer server, String profile) throws IOException {
    MailboxClient client = operator(server);
    String field = "\"dlq_profile\":\"" + profile + "\"";
    for (String path : new String[] {"/healthz", "/readyz", "/v1/topics/" + Soak.TOPIC}) {
      String text = client.get(path).expect(200).text();
      assertTrue(text.contains(field), text);
    }
    String metrics = client.get("/metrics").expect(200).text();
    assertTrue(metrics.contains("profile=\"" + profile + "\""), metrics);
  }

  /** Which canaries are in which files. The console is the operator's, not a file of the server. */
  private Map<Canary, Set<String>> found(MailboxServer server) throws IOException {
    WrittenFiles files = new WrittenFiles();
    files.below(server.directory(), file -> !file.equals(server.output()));
    files.below(temporary, file -> true);
    if (server.isAlive()) {
      for (long process : server.processIds()) {
        files.deletedBy(process);
      }
    }
    assertTrue(files.count() > 0);
    Map<Canary, Set<String>> found = new EnumMap<>(Canary.class);
    for (Canary canary : Canary.values()) {
      Set<String> holding = files.holding(canary.forms());
      if (!holding.isEmpty()) {
        found.put(canary, holding);
      }
    }
    return new TreeMap<>(found);
  }
}
