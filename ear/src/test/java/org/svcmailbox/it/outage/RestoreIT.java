package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.files.Trees;

/**
 * Backups put back as OPERATIONS.md says, and what it says of halves that are not of one moment.
 */
class RestoreIT {
  private static final String TOPIC = "orders";
  private static final String LATER_TOPIC = "refunds";
  private static final byte[] PAYLOAD = new byte[100];
  private static final Pattern JOIN = Pattern.compile("mailbox[.]store[.]join=(\\S+)");
  private static final Pattern ACCEPT = Pattern.compile("mailbox[.]accept=(\\S+)");

  private static MailboxServer server;
  private static MailboxClient client;
  private static Path backup;

  /** "early" and "acked later" are in the backup, the rest is not. */
  @BeforeAll
  static void backUp() throws IOException {
    server = MailboxServer.start("restore", Map.of());
    client = new MailboxClient(server.target());
    backup = server.directory().resolve("backup");
    client.putTopic(TOPIC, Fields.of("ready_shards", 1)).expect(201);
    send(TOPIC, "acked later", "early");
    server.terminate();
    Trees.copy(server.data(), backup);

    server.restart();
    Message first = receive(TOPIC, 1).get(0);
    assertEquals("acked later", first.idemKey());
    client.ack(first).expect(200);
    send(TOPIC, "late", "later");
    client.putTopic(LATER_TOPIC, Fields.of("ready_shards", 1)).expect(201);
    send(LATER_TOPIC, "of a topic made since");
    server.terminate();
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> restores() {
    return Stream.of(
        test(
            "an older database, once accepted, costs no message and no number",
            RestoreIT::olderDatabase),
        test("a whole backup is what there was", RestoreIT::wholeBackup),
        test("half a backup is refused, and joined on purpose", RestoreIT::halfABackup));
  }

  private static DynamicTest test(String name, Executable body) {
    return DynamicTest.dynamicTest(name, body);
  }

  private static void olderDatabase() throws IOException {
    for (Path file : databaseFiles(server.data())) {
      Files.delete(file);
    }
    for (Path file : databaseFiles(backup)) {
      Files.copy(file, server.data().resolve("mailbox").resolve(file.getFileName()));
    }
    String refusal = refused("are not from the same moment");
    assertTrue(refusal.contains("the database is older than the broker"), refusal);
    server.set("MAILBOX_ACCEPT", named(ACCEPT, refusal));
    server.restart();
    assertTrue(stores().contains("the database is older than the broker"), stores());
    assertTrue(logged("Database and broker do not belong together: the database is older"));
    List<Message> there = receive(TOPIC, 3);
    assertEquals(List.of("early", "late", "later"), there.stream().map(Message::idemKey).toList());
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate(), "a second message");
    Message second = receive(TOPIC, 1).get(0);
    long highest = there.stream().mapToLong(Message::seq).max().orElseThrow();
    assertTrue(second.seq() > highest, second.seq() + " after " + highest);
    assertEquals(3, verify().path("broken_at").asInt());
    client.topic(LATER_TOPIC).expect(404);
    client.putTopic(LATER_TOPIC, Fields.of("ready_shards", 1)).expect(201);
    assertEquals("of a topic made since", receive(LATER_TOPIC, 1).get(0).idemKey());
  }

  private static List<Path> databaseFiles(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("mailbox"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("mailbox.db")).toList();
    }
  }

  private static void wholeBackup() throws IOException {
    putBack();
    server.restart();
    assertEquals("", stores());
    assertEquals(
        List.of("acked later", "early"), receive(TOPIC, 2).stream().map(Message::idemKey).toList());
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate());
    assertTrue(client.send(TOPIC, "early", PAYLOAD).expect(200).duplicate());
    assertEquals(3, verify().path("intact_up_to").asInt());
    client.topic(LATER_TOPIC).expect(404);
  }

  private static void halfABackup() throws IOException {
    putBack();
    Trees.delete(server.data().resolve("activemq"));
    String refusal = refused("The database bears the id");
    assertTrue(refusal.contains("the broker in the data directory bears unmarked"), refusal);
    server.set("MAILBOX_STORE_JOIN", named(JOIN, refusal));
    String loss = refused("are not from the same moment");
    assertTrue(loss.contains("the broker is older than the database"), loss);

    server.set("MAILBOX_ACCEPT", named(ACCEPT, loss));
    server.restart();
    assertTrue(stores().contains("the broker is older than the database"), stores());
    assertFalse(client.send(TOPIC, "acked later", PAYLOAD).expect(200).duplicate(), "it was lost");
    assertEquals("acked later", receive(TOPIC, 1).get(0).idemKey());
  }

  /** Starts the server, which ends by itself, and returns the line that says why. */
  private static String refused(String text) throws IOException {
    int lines = server.outputLines().size();
    server.launch();
    assertEquals(78, server.awaitEnd(), "exit code");
    return server.outputLines().stream()
        .skip(lines)
        .filter(line -> line.contains("ERROR") && line.contains(text))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no refusal: " + server.outputLines()));
  }

  private static String named(Pattern setting, String refusal) {
    Matcher found = setting.matcher(refusal);
    assertTrue(found.find(), refusal);
    return found.group(1);
  }

  private static void putBack() {
    server.close();
    Trees.delete(server.data());
    Trees.copy(backup, server.data());
  }

  private static void send(String topic, String... keys) throws IOException {
    for (String key : keys) {
      client.send(topic, key, PAYLOAD).expect(200);
    }
  }

  private static List<Message> receive(String topic, int messages) throws IOException {
    return client.recvAll(
        Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 600_000), messages);
  }

  private static JsonNode verify() throws IOException {
    return client.get("/v1/topics/" + TOPIC + "/ledger/verify?shard=0").expect(200).json();
  }

  /** The detail that readiness gives of database and broker. */
  private static String stores() throws IOException {
    JsonNode checks = client.get("/readyz").expect(200).json().path("checks");
    return StreamSupport.stream(checks.spliterator(), false)
        .filter(check -> check.path("name").asText().equals("stores"))
        .map(check -> check.path("data").path("detail").asText())
        .findFirst()
        .orElseThrow();
  }

  private static boolean logged(String text) {
    return server.outputLines().stream().anyMatch(line -> line.contains(text));
  }
}
