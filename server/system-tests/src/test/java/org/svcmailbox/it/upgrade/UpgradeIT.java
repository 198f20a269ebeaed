package org.svcmailbox.it.upgrade;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.FakeTime;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.upgrade.Inventory.Lease;
import org.svcmailbox.it.upgrade.Inventory.Ledger;
import org.svcmailbox.it.upgrade.Inventory.Ready;
import org.svcmailbox.it.upgrade.Inventory.Sent;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * This server on the data directory of an earlier one that was killed. Each test has topics of its
 * own in it. The server's clock says that the old one was killed ten minutes ago.
 */
@Order(1)
class UpgradeIT {
  private static final Duration LATER = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int DOOR = 8_090;

  /** Fields of a topic that no operator sets. */
  private static final List<String> STATES =
      List.of(
          "paused",
          "closing_shards",
          "ready",
          "inflight",
          "delayed",
          "dlq",
          "saturation",
          "oldest_ready_age_ms");

  private static MailboxServer server;
  private static MailboxClient client;
  private static Inventory old;

  @BeforeAll
  static void upgrade() throws Exception {
    try (InputStream inventory = resource("inventory.json")) {
      old = Inventory.read(inventory);
    }
    FakeTime clock = new FakeTime("upgrade");
    clock.set(Duration.between(Instant.now(), old.made().plus(LATER)));
    Map<String, String> settings = new HashMap<>(OldData.SETTINGS);
    settings.putAll(clock.environment());
    server = MailboxServer.prepare("upgrade", settings);
    try (InputStream archive = resource("data.zip")) {
      DataFiles.unpack(archive, server.data());
    }
    server.restart();
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static InputStream resource(String name) {
    return requireNonNull(UpgradeIT.class.getResourceAsStream(name), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "refused", "delayed"})
  void everyMessageIsServedOnceAsItWas(String topic) throws IOException {
    assertServed(topic);
  }

  @Test
  void aLeaseOfTheKilledServerIsOverAndItsMessageComesAgain() throws IOException {
    for (Lease lease : old.leases()) {
      Fields extension = Fields.of("msg_id", lease.msgId()).with("receipt", lease.receipt());
      client.post("/v1/extend", extension.with("visibility_ms", 60_000)).expect(404);
    }
    for (int attempt = 1; attempt <= 2; attempt++) {
      List<Message> again = client.recvAll(asking("leased").with("visibility_ms", 5_000), 3);
      assertIntact(again);
      assertEquals(keys(old.sent("leased")), Set.copyOf(keysOf(again)));
      for (Message message : again) {
        assertEquals(attempt, message.attempt());
      }
    }
  }

  @Test
  void messagesOfOneShardKeyKeepTheirOrder() throws IOException {
    Map<Character, List<String>> groups =
        assertServed("grouped").stream()
            .map(Message::idemKey)
            .collect(Collectors.groupingBy(key -> key.charAt(0)));
    assertEquals(Set.of('a', 'b', 'c'), groups.keySet());
    groups.values().forEach(keys -> assertEquals(keys.stream().sorted().toList(), keys));
  }

  @Test
  void aScheduledMessageKeepsItsTime() throws IOException {
    JsonNode page = client.get("/v1/topics/delayed/scheduled").expect(200).json();
    JsonNode far = page.path("messages").path(page.path("messages").size() - 1);
    assertKept(old.scheduled(), far);
  }

  @Test
  void theBatchesThatTheDatabaseLackedAreThere() throws IOException {
    Set<String> answered = keys(old.sent("load"));
    List<Message> received = receive("load", answered.size());
    for (List<Message> more = rest("load"); !more.isEmpty(); more = rest("load")) {
      received.addAll(more);
    }
    assertIntact(received);
    Set<String> served = received.stream().map(Message::idemKey).collect(Collectors.toSet());
    assertEquals(received.size(), served.size(), "served twice");
    assertTrue(served.containsAll(answered), "lost");
    Set<String> known = new HashSet<>(answered);
    known.addAll(old.unanswered());
    assertTrue(known.containsAll(served), "invented");
  }

  @Test
  void aRepeatedSendIsADuplicateOfTheOldMessage() throws IOException {
    for (Sent sent : old.sent()) {
      MailboxAnswer answer = client.send(sent.request()).expect(200);
      assertTrue(answer.duplicate(), sent::toString);
      assertEquals(sent.msgId(), answer.msgId());
    }
  }

  @Test
  void deadLettersAreFoundWithTheirHistoryAndRedriven() throws IOException {
    Deadline.in(PATIENCE)
        .await(
            () -> client.get("/v1/dlq/letters").json().path("letters").size() == 4,
            () -> "four letters in the index");
    for (JsonNode letter : old.letters()) {
      JsonNode now = client.get(OldData.path(letter)).expect(200).json();
      assertKept(((ObjectNode) letter).without(List.of("fingerprint")), now);
      String group = now.path("fingerprint").asText();
      assertTrue(group.startsWith("2"), group);
      Deadline.in(PATIENCE)
          .await(
              () ->
                  client
                      .get("/v1/dlq/letters?fingerprint=" + group)
                      .json()
                      .path("letters")
                      .findValuesAsText("msg_id")
                      .contains(letter.path("msg_id").asText()),
              () -> "the letter in its group of today's rules");
    }
    JsonNode groups = client.get("/v1/dlq/letters/groups").expect(200).json().path("groups");
    for (JsonNode group : groups) {
      assertTrue(group.path("fingerprint").asText().startsWith("2"), groups::toString);
    }
    Fields order =
        Fields.of("action", "reprocess").with("filter", Fields.NONE).with("ttl_ms", 60_000);
    JsonNode job = client.post("/v1/dlq/letters/jobs", order.with("note", "x")).expect(202).json();
    awaitDone(job.path("job_id").asText(), old.letters().size());
    List<Message> redriven = receive("letters", old.letters().size());
    assertIntact(redriven);
    redriven.forEach(message -> assertEquals(1, message.attempt()));
    assertEquals(keys(old.sent("letters")), new HashSet<>(keysOf(redriven)));
  }

  @Test
  void aPausedJobGoesOn() throws IOException {
    String path = "/v1/jobs/" + old.job();
    assertEquals("paused", client.get(path).expect(200).json().path("state").asText());
    client.post(path + "/resume", Fields.NONE).expect(200);
    awaitDone(old.job(), old.sent("jobs").size());
    assertServed("jobs");
  }

  private static void awaitDone(String job, int letters) throws IOException {
    String path = "/v1/jobs/" + job;
    Deadline.in(PATIENCE)
        .await(
            () -> client.get(path).json().path("state").asText().equals("done"),
            () -> "the end of " + job);
    assertEquals(letters, client.get(path).json().path("done").asInt());
  }

  @Test
  void ledgersAreContinued() throws IOException {
    for (Ledger ledger : old.ledgers()) {
      JsonNode page = client.get(ledger.path()).expect(200).json();
      assertKept(ledger.page().path("start"), page.path("start"));
      for (int i = 0; i < ledger.page().path("entries").size(); i++) {
        assertKept(ledger.page().at("/entries/" + i), page.at("/entries/" + i));
      }
    }
    assertEquals(old.sent("acked").size(), intactUpTo("acked", 0));
    client.send("acked", "new", new byte[1]).expect(200);
    assertEquals(old.sent("acked").size() + 1, intactUpTo("acked", 0));
    assertTrue(intactUpTo("load", 0) + intactUpTo("load", 1) >= old.sent("load").size());
  }

  private static int intactUpTo(String topic, int shard) {
    return client.verify(topic, shard).path("intact_up_to").asInt();
  }

  @Test
  void anOldCapabilityHasItsRightsAndARevokedOneNone() throws IOException {
    MailboxClient holder = client.with(old.capability());
    holder.send("rights", "key", new byte[1]).expect(200);
    holder.send("others", "key", new byte[1]).expect(403);
    assertEquals("revoked", client.with(old.revoked()).recv("rights").expect(401).reason());
  }

  @Test
  void topicsKeepTheirSettings() throws IOException {
    for (JsonNode topic : old.topics()) {
      JsonNode now = client.topic(topic.path("name").asText()).expect(200).json();
      assertKept(((ObjectNode) topic).without(STATES), now);
      assertEquals("5m", now.path("alert_ready_age").asText());
      assertTrue(now.path("version").asText().endsWith(".1"), now::toString);
    }
    client.topic("gone").expect(404);
  }

  /** Every field has its old value; new ones may be there. */
  private static void assertKept(JsonNode before, JsonNode now) {
    before
        .properties()
        .forEach(field -> assertEquals(field.getValue(), now.path(field.getKey()), now::toString));
  }

  @Test
  void aPausedTopicWaitsForItsOperator() throws IOException {
    assertTrue(client.topic("paused").expect(200).json().path("paused").asBoolean());
    assertEquals(List.of(), rest("paused"));
    client.post("/v1/topics/paused/resume", Fields.NONE).expect(200);
    assertServed("paused");
  }

  @Test
  void theAuditGoesOn() throws IOException {
    String deletion = "/v1/audit?action=topic.delete&subject=gone";
    String line = client.get(deletion).expect(200).text();
    assertTrue(line.contains("gone"));
    assertFalse(line.contains("actor_name"), line);
  }

  @Test
  void capabilitiesAndJobsFromBeforeTheirNamesHaveNone() throws IOException {
    JsonNode page = client.get("/v1/capabilities?kind=minted&limit=1000").expect(200).json();
    List<JsonNode> minted = new ArrayList<>();
    page.path("capabilities").forEach(minted::add);
    assertTrue(minted.stream().anyMatch(one -> one.has("minted_by")), page::toString);
    for (JsonNode one : minted) {
      assertFalse(one.has("note") || one.has("minted_by_name"), one::toString);
    }
    JsonNode job = client.get("/v1/jobs/" + old.job()).expect(200).json();
    assertFalse(job.has("started_by_name"), job::toString);
    assertFalse(job.path("started_by").asText().isEmpty(), job::toString);
  }

  @Test
  void aTokenOfTheRendezvousDoorOpensIt() throws Exception {
    URI mailbox = URI.create("http://127.0.0.1:" + server.port(DOOR) + "/v1/mailbox/");
    HttpRequest request =
        HttpRequest.newBuilder(mailbox.resolve("ab".repeat(32)))
            .POST(BodyPublishers.ofString("x"))
            .header("Authorization", "Bearer " + old.doorToken())
            .build();
    HttpClient http = HttpClient.newHttpClient();
    assertEquals(202, http.send(request, BodyHandlers.discarding()).statusCode());
  }

  /** All messages of a topic that are due, each once; they are acknowledged. */
  private static List<Message> assertServed(String topic) throws IOException {
    List<Ready> expected = old.ready(topic);
    List<Message> received = receive(topic, expected.size());
    assertEquals(
        Set.copyOf(expected), received.stream().map(Ready::of).collect(Collectors.toSet()));
    assertEquals(expected.size(), received.size());
    assertIntact(received);
    for (Message message : received) {
      client.ack(message).expect(200);
    }
    assertEquals(List.of(), rest(topic));
    return received;
  }

  /**
   * Their envelopes and payloads are those of the SENDs, and their ids where these were answered.
   */
  private static void assertIntact(List<Message> received) {
    for (Message message : received) {
      assertTrue(message.isIntact(), message.idemKey());
      for (Sent sent : old.sent(message.topic())) {
        if (sent.key().equals(message.idemKey())) {
          assertEquals(sent.msgId(), message.msgId());
          assertArrayEquals(sent.payload(), message.payload());
        }
      }
    }
  }

  private static List<Message> receive(String topic, int messages) throws IOException {
    return new ArrayList<>(client.recvAll(asking(topic), messages));
  }

  private static List<Message> rest(String topic) throws IOException {
    return client.recv(asking(topic).with("wait_ms", 300)).expect(200).messages();
  }

  private static Fields asking(String topic) {
    return Fields.of("topic", topic)
        .with("max_messages", 100)
        .with("wait_ms", 10_000)
        .with("visibility_ms", 3_600_000);
  }

  private static Set<String> keys(List<Sent> sent) {
    return sent.stream().map(Sent::key).collect(Collectors.toSet());
  }

  private static List<String> keysOf(List<Message> messages) {
    return messages.stream().map(Message::idemKey).toList();
  }
}
