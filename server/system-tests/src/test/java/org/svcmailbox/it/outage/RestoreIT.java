package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;

/**
 * Backups restored as OPERATIONS.md describes, and databases with a broker of another moment. The
 * copies are those of one server's life, in the order of {@link Moment}.
 */
@Order(1)
@Tag("nightly")
class RestoreIT {
  private static final String TOPIC = "orders";
  private static final String LATER_TOPIC = "refunds";
  private static final String DOOMED_TOPIC = "parcels";
  private static final String GROWN_TOPIC = "letters";
  private static final List<String> SPREAD = List.of("a", "b", "c", "d", "e", "f", "g", "h");
  private static final byte[] PAYLOAD = new byte[100];
  private static final Pattern JOIN = Pattern.compile("mailbox[.]store[.]join=(\\S+)");
  private static final Pattern ACCEPT = Pattern.compile("mailbox[.]accept=(\\S+)");
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Batches of one SEND each: more than the log of a worker reaches back when it is new. */
  private static final int BEYOND = 700;

  /** An accepted loss skips at least so many numbers. */
  private static final long JUMP = 1L << 32;

  /** A copy of the whole data directory. */
  private enum Moment {
    /** Two messages: "acked later" and "early". */
    EARLY,
    /**
     * The first message is acknowledged; "late" and "later" were sent. One topic was deleted, one
     * has more shards.
     */
    LATE,
    /** A topic was made, and a message was sent to it. */
    NEW_TOPIC,
    /** {@link #BEYOND} more messages. */
    FAR,
    /** {@link #EARLY} that went on in another way: "other" and "another" were sent. */
    OTHER
  }

  private static MailboxServer server;
  private static MailboxClient client;

  /** Whether the data is that of {@link #live}, on which the server runs. */
  private static boolean untouched = true;

  @BeforeAll
  static void live() throws Exception {
    // Of several workers, only those with a mismatch lose keys.
    server = MailboxServer.start("restore", Map.of("MAILBOX_WORKERS", "1"));
    client = new MailboxClient(server.target());
    client.putTopic(TOPIC, lasting(1)).expect(201);
    send(TOPIC, "acked later", "early");
    client.putTopic(DOOMED_TOPIC, lasting(1)).expect(201);
    send(DOOMED_TOPIC, "gone");
    client.putTopic(GROWN_TOPIC, lasting(1)).expect(201);
    copy(Moment.EARLY);

    Message first = receive(TOPIC, 1).get(0);
    assertEquals("acked later", first.idemKey());
    client.ack(first).expect(200);
    send(TOPIC, "late", "later");
    client.deleteTopic(DOOMED_TOPIC).expect(200);
    client.putTopic(GROWN_TOPIC, lasting(4)).expect(200);
    send(GROWN_TOPIC, SPREAD.toArray(String[]::new));
    copy(Moment.LATE);
  }

  /** The later moments, which only some restores need. */
  private static void goOn() throws IOException {
    if (Files.exists(path(Moment.OTHER))) {
      return;
    }
    putBack(Moment.LATE);
    server.restart();
    client.putTopic(LATER_TOPIC, lasting(1)).expect(201);
    send(LATER_TOPIC, "of a topic made since");
    copy(Moment.NEW_TOPIC);

    for (int i = 0; i < BEYOND; i++) {
      send(TOPIC, "bulk-" + i);
    }
    copy(Moment.FAR);

    putBack(Moment.EARLY);
    server.restart();
    send(TOPIC, "other", "another");
    // As many batches as LATE has: fewer would be an older broker.
    send(GROWN_TOPIC, SPREAD.toArray(String[]::new));
    copy(Moment.OTHER);
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
        test("a whole backup is what there was", RestoreIT::wholeBackup),
        test("an older database that the log reaches is brought up to date", RestoreIT::within),
        test("half a backup is refused, and joined on purpose", RestoreIT::halfABackup),
        test("halves that went on apart cost the database's messages", RestoreIT::foreign),
        test("a topic that the database lacks is made again", RestoreIT::lacksATopic),
        test("a database beyond the log costs keys and no message", RestoreIT::beyond),
        test("an older broker costs its messages, which are sent again", RestoreIT::olderBroker));
  }

  private static DynamicTest test(String name, Executable body) {
    return DynamicTest.dynamicTest(name, body);
  }

  private static void wholeBackup() throws IOException {
    putBack(Moment.EARLY);
    server.restart();
    assertEquals("", stores());
    assertEquals(List.of("acked later", "early"), keys(receive(TOPIC, 2)));
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate());
    assertTrue(client.send(TOPIC, "early", PAYLOAD).expect(200).duplicate());
    assertEquals(3, verify().path("intact_up_to").asInt());
    client.topic(LATER_TOPIC).expect(404);
  }

  private static void halfABackup() throws IOException {
    putBack(Moment.EARLY);
    Trees.delete(server.data().resolve("activemq"));
    String refusal = refused("The database bears the id");
    assertTrue(refusal.contains("the broker in the data directory bears unmarked"), refusal);
    server.set("MAILBOX_STORE_JOIN", named(JOIN, refusal));
    accept("log-missing-", "the broker has no entries of the log of worker");
    assertFalse(client.send(TOPIC, "acked later", PAYLOAD).expect(200).duplicate(), "it was lost");
    assertEquals("acked later", receive(TOPIC, 1).get(0).idemKey());
  }

  /** Neither stops the server: first the database, then all files at one instant. */
  @Test
  void aDumpAndALaterSnapshotOfTheBrokerLoseNothing() throws Exception {
    if (!untouched) {
      putBack(Moment.EARLY);
      server.restart();
    }
    Path dump = server.directory().resolve("dump.db");
    Path snapshot = server.directory().resolve("snapshot");
    Set<String> sent;
    Set<String> acknowledging;
    Set<String> acknowledged;
    try (SteadyLoad load = SteadyLoad.start(client, TOPIC)) {
      load.await(100);
      dump(dump);
      load.await(50);
      server.freeze();
      sent = load.sent();
      acknowledging = load.acknowledging();
      acknowledged = load.acknowledged();
      Trees.copy(server.data(), snapshot);
      server.thaw();
      load.await(50);
      server.kill9();
    }
    untouched = false;
    replaceData(snapshot);
    deleteDatabase();
    Files.copy(dump, server.data().resolve("mailbox/mailbox.db"));
    server.restart();
    assertEquals("", stores());
    Set<String> left = new HashSet<>(keys(receiveAll()));
    Set<String> lost = new HashSet<>(sent);
    lost.removeAll(left);
    lost.removeAll(acknowledging);
    assertEquals(Set.of(), lost, "answered, no ACK was under way, and not there");
    left.retainAll(acknowledged);
    assertEquals(Set.of(), left, "acknowledged and there");
    for (String key : sent) {
      assertTrue(client.send(TOPIC, key, PAYLOAD).expect(200).duplicate(), key);
    }
    assertTrue(verify().path("intact_up_to").asInt() >= sent.size(), () -> "the ledger is short");
  }

  private static void within() throws IOException {
    putBack(Moment.LATE, Moment.EARLY);
    int lines = server.outputLines().size();
    server.restart();
    assertEquals("", stores());
    assertFalse(logged(lines, "are not from the same moment"), "nothing is said of it");
    assertEquals(Set.copyOf(SPREAD), Set.copyOf(keys(receive(GROWN_TOPIC, SPREAD.size()))));
    assertTrue(client.send(GROWN_TOPIC, "a", PAYLOAD).expect(200).duplicate(), "of a lost shard");
    assertFalse(client.send(DOOMED_TOPIC, "gone", PAYLOAD).expect(200).duplicate(), "it is gone");
    assertEquals(List.of("early", "late", "later"), keys(receive(TOPIC, 3)));
    for (String key : List.of("acked later", "early", "late", "later")) {
      assertTrue(client.send(TOPIC, key, PAYLOAD).expect(200).duplicate(), key);
    }
    assertFalse(client.send(TOPIC, "new", PAYLOAD).expect(200).duplicate());
    assertEquals(5, verify().path("intact_up_to").asInt());
  }

  private static void lacksATopic() throws IOException {
    goOn();
    putBack(Moment.NEW_TOPIC, Moment.EARLY);
    int lines = server.outputLines().size();
    server.restart();
    assertEquals("", stores());
    assertTrue(logged(lines, "The topic refunds was made since"), "it is not told");
    assertEquals("of a topic made since", receive(LATER_TOPIC, 1).get(0).idemKey());
    assertTrue(client.send(LATER_TOPIC, "of a topic made since", PAYLOAD).expect(200).duplicate());
    assertEquals(1, client.verify(LATER_TOPIC, 0).path("intact_up_to").asInt());
  }

  private static void beyond() throws IOException {
    goOn();
    putBack(Moment.FAR, Moment.EARLY);
    accept("database-older-", "the database is older than the broker");
    List<Message> there = receive(TOPIC, 3 + BEYOND);
    assertTakenAgainBehindAGap(there.subList(0, 3), List.of("early", "late", "later"));
    assertEquals(3 + BEYOND, Set.copyOf(keys(there)).size());
    assertEquals("of a topic made since", receive(LATER_TOPIC, 1).get(0).idemKey());
    assertFalse(client.send(DOOMED_TOPIC, "gone", PAYLOAD).expect(200).duplicate(), "it is gone");
  }

  /** The messages are there, their keys are not, and the ledger lacks all after the second. */
  private static void assertTakenAgainBehindAGap(List<Message> there, List<String> expected)
      throws IOException {
    assertEquals(expected, keys(there));
    assertTrue(client.send(TOPIC, "early", PAYLOAD).expect(200).duplicate(), "a key it has");
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate(), "a second message");
    Message second = receive(TOPIC, 1).get(0);
    assertEquals("late", second.idemKey());
    assertTrue(second.seq() > JUMP, second.seq() + " is no jump");
    assertEquals(3, verify().path("broken_at").asInt());
  }

  private static void olderBroker() throws IOException {
    putBack(Moment.EARLY, Moment.LATE);
    accept("broker-older-", "the broker is older than the database");
    assertEquals(List.of("acked later", "early"), keys(receive(TOPIC, 2)));
    assertTrue(client.send(TOPIC, "early", PAYLOAD).expect(200).duplicate());
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate(), "it was lost");
    Message late = receive(TOPIC, 1).get(0);
    assertEquals("late", late.idemKey());
    assertEquals(5, late.seq(), "numbers go on behind those that were lost");
    assertEquals(5, verify().path("intact_up_to").asInt());
  }

  private static void foreign() throws IOException {
    goOn();
    putBack(Moment.OTHER, Moment.LATE);
    accept("foreign-", "database and broker have different batches");
    assertEquals(List.of("acked later", "early", "other", "another"), keys(receive(TOPIC, 4)));
    assertFalse(client.send(TOPIC, "late", PAYLOAD).expect(200).duplicate(), "it was lost");
    assertFalse(client.send(TOPIC, "other", PAYLOAD).expect(200).duplicate(), "no key is left");
    List<Message> again = receive(TOPIC, 2);
    assertEquals(List.of("late", "other"), keys(again));
    assertTrue(again.get(0).seq() > JUMP, again.get(0).seq() + " is no jump");
    assertEquals(5, verify().path("broken_at").asInt());
  }

  /** A start is refused, and one that accepts this says so for as long as it runs. */
  private static void accept(String code, String situation) throws IOException {
    String refusal = refused("are not from the same moment");
    assertTrue(refusal.contains(situation), refusal);
    String accepted = named(ACCEPT, refusal);
    assertTrue(accepted.startsWith(code), accepted);
    server.set("MAILBOX_ACCEPT", accepted);
    int lines = server.outputLines().size();
    server.restart();
    assertTrue(stores().contains(situation), stores());
    assertTrue(
        logged(lines, "Database and broker are not from the same moment: "), "nothing is logged");
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

  private static Path path(Moment moment) {
    return server.directory().resolve(moment.name());
  }

  /** Copies everything at one instant, when the database has all that was answered. */
  private static void copy(Moment moment) {
    Deadline.in(SOON).await(() -> lag() == 0, () -> "the projection");
    server.freeze();
    Trees.copy(server.data(), path(moment));
    server.thaw();
  }

  private static double lag() throws IOException {
    return Scrape.of(client.get("/metrics").expect(200).text()).value("projection_lag_batches{}");
  }

  /** Copies the database while it is in use, by a statement of SQLite. */
  private static void dump(Path to) throws SQLException {
    String url = "jdbc:sqlite:" + server.data().resolve("mailbox/mailbox.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("vacuum into '" + to + "'");
    }
  }

  /** Puts everything in its place as it was at one moment. */
  private static void putBack(Moment moment) {
    untouched = false;
    server.close();
    server.unset("MAILBOX_ACCEPT");
    server.unset("MAILBOX_STORE_JOIN");
    replaceData(path(moment));
  }

  /** The same with a database of another moment. */
  private static void putBack(Moment broker, Moment database) throws IOException {
    putBack(broker);
    deleteDatabase();
    for (Path file : databaseFiles(path(database))) {
      Files.copy(file, server.data().resolve("mailbox").resolve(file.getFileName()));
    }
  }

  private static void replaceData(Path copy) {
    Trees.delete(server.data());
    Trees.copy(copy, server.data());
  }

  private static void deleteDatabase() throws IOException {
    for (Path file : databaseFiles(server.data())) {
      Files.delete(file);
    }
  }

  private static List<Path> databaseFiles(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("mailbox"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("mailbox.db")).toList();
    }
  }

  /** A topic whose keys outlast the test, which takes minutes. */
  private static Fields lasting(int shards) {
    return Fields.of("ready_shards", shards).with("t_replay", "1h");
  }

  private static void send(String topic, String... keys) throws IOException {
    for (String key : keys) {
      client.send(topic, key, PAYLOAD).expect(200);
    }
  }

  private static Fields asking(String topic) {
    return Fields.of("topic", topic)
        .with("max_messages", 100)
        .with("wait_ms", 5_000)
        .with("visibility_ms", 600_000);
  }

  private static List<Message> receive(String topic, int messages) throws IOException {
    return client.recvAll(asking(topic), messages);
  }

  /** All that are ready, of which there is at least one. */
  private static List<Message> receiveAll() throws IOException {
    int ready = client.topic(TOPIC).expect(200).json().path("ready").asInt();
    return receive(TOPIC, ready);
  }

  private static List<String> keys(List<Message> messages) {
    return messages.stream().map(Message::idemKey).toList();
  }

  private static JsonNode verify() {
    return client.verify(TOPIC, 0);
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

  /** Whether a line behind the first {@code lines} has this text. */
  private static boolean logged(int lines, String text) {
    return server.outputLines().stream().skip(lines).anyMatch(line -> line.contains(text));
  }
}
