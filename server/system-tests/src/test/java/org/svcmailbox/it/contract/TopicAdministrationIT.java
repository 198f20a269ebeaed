package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** Operators' calls for a topic in use. */
@ContractTest
class TopicAdministrationIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("administered");

  TopicAdministrationIT(MailboxClient client) {
    this.client = client;
  }

  private void send(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      client.send(topic, "key" + i, new byte[] {(byte) i}).expect(200);
    }
  }

  private MailboxAnswer operate(String what) throws IOException {
    return client.call("POST", "/v1/topics/" + topic + "/" + what, Fields.NONE).expect(200);
  }

  private JsonNode look(String what) throws IOException {
    return client.get("/v1/topics/" + topic + "/" + what).expect(200).json();
  }

  private JsonNode status() throws IOException {
    return client.topic(topic).expect(200).json();
  }

  private Fields asking() {
    return Fields.of("topic", topic)
        .with("wait_ms", 2_000)
        .with("visibility_ms", 60_000)
        .with("max_messages", 100);
  }

  /** Two forms are open; the second one does not undo what the first one did. */
  @Test
  void settingsOfAFormAreRefusedAfterAnotherChange() throws IOException {
    MailboxClient creates = client.withHeaders(Map.of("If-None-Match", "*"));
    creates.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    assertEquals("E_PRECONDITION", creates.putTopic(topic, Fields.NONE).expect(412).code());
    MailboxAnswer read = client.topic(topic).expect(200);
    String version = read.headers().firstValue("ETag").orElseThrow();
    assertEquals('"' + read.json().path("version").asText() + '"', version);
    assertEquals("{\"ready_shards\":1}", read.json().path("overrides").toString());
    MailboxClient form = client.withHeaders(Map.of("If-Match", version));
    MailboxAnswer changed =
        form.putTopic(topic, Fields.of("max_attempts", 7).with("alert_ready_age", "90s"));
    String next = changed.expect(200).headers().firstValue("ETag").orElseThrow();
    assertEquals("E_PRECONDITION", form.putTopic(topic, Fields.NONE).expect(412).code());
    form.changeTopic(topic, Fields.of("max_attempts", 8), "").expect(412);
    JsonNode now = status();
    assertEquals(7, now.path("max_attempts").asInt());
    assertEquals("90s", now.path("alert_ready_age").asText());
    assertEquals("90s", now.at("/overrides/alert_ready_age").asText());
    operate("pause");
    assertEquals(next, client.topic(topic).headers().firstValue("ETag").orElseThrow());
    client
        .withHeaders(Map.of("If-Match", next))
        .changeTopic(topic, Fields.NONE, "alert_ready_age")
        .expect(200);
    assertEquals("5m", status().path("alert_ready_age").asText());
  }

  @Test
  void aPausedTopicHandsNothingOutUntilItGoesOn() throws Exception {
    send(0, 3);
    operate("pause");
    assertTrue(status().path("paused").asBoolean());
    assertEquals(List.of(), client.recv(topic).expect(200).messages());

    CompletableFuture<MailboxAnswer> waiting =
        background(() -> client.recv(asking().with("wait_ms", 20_000)));
    send(3, 4);
    operate("resume");
    assertFalse(waiting.get(30, TimeUnit.SECONDS).expect(200).messages().isEmpty());
    assertFalse(status().path("paused").asBoolean());
  }

  @Test
  void peekingShowsWhatIsNextAndTakesNothing() throws IOException {
    send(0, 5);
    JsonNode peeked = look("peek?limit=100").path("messages");
    assertEquals(5, peeked.size());
    JsonNode first = peeked.get(0);
    assertTrue(first.has("payload") && first.has("hash_chain") && !first.has("receipt"));
    List<Message> taken = client.recvAll(asking(), 5);
    assertEquals(
        new HashSet<>(peeked.findValuesAsText("msg_id")),
        new HashSet<>(taken.stream().map(Message::msgId).toList()));
    taken.forEach(message -> assertEquals(1, message.attempt()));
    assertEquals(0, look("peek").path("messages").size());
  }

  @Test
  void purgingLeavesWhatIsInFlight() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    send(0, 20);
    Message held = client.recv(asking().with("max_messages", 1)).message();
    client.send(Fields.send(topic, "later", new byte[1]).with("delay_ms", 600_000)).expect(200);

    assertEquals(20, operate("purge").json().path("purged").asInt());

    JsonNode left = status();
    assertEquals(0, left.path("ready").asInt());
    assertEquals(0, left.path("delayed").asInt());
    assertEquals(1, left.path("inflight").asInt());
    client.ack(held).expect(200);
    assertEquals(0, operate("purge").json().path("purged").asInt());
  }

  @Test
  void theLedgerIsExportedAndFoundIntact() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    send(0, 12);
    JsonNode first = look("ledger?shard=0&limit=5");
    JsonNode second = look("ledger?shard=0&from=6&limit=100");
    assertEquals(5, first.path("entries").size());
    assertEquals(7, second.path("entries").size());
    assertEquals(0, first.path("start").path("seq").asInt());
    assertEquals(
        first.path("entries").get(4).path("link").asText(),
        second.path("start").path("link").asText());
    assertEquals(12, look("ledger/verify?shard=0").path("intact_up_to").asInt());
    client.get("/v1/topics/" + topic + "/ledger?shard=1").expect(404);
  }

  @Test
  void aTopicThatTakesAllItsBytesRefusesUntilSomethingGoes() throws IOException {
    Fields settings = Fields.of("ready_shards", 1).with("retention_ready_bytes", 10_000);
    client.putTopic(topic, settings).expect(201);
    assertEquals(10_000, status().path("retention_ready_bytes").asInt());
    client.send(topic, "key0", new byte[5_000]).expect(200);
    client.send(topic, "key1", new byte[5_000]).expect(200);
    assertEquals("retention_ready_bytes", refused(client.send(topic, "key2", new byte[1])));
    client.ack(client.recv(asking().with("max_messages", 1)).message()).expect(200);
    client.send(topic, "key2", new byte[1]).expect(200);
    client.putTopic(topic, settings.with("retention_ready_bytes", 1)).expect(200);
    assertEquals("retention_ready_bytes", refused(client.send(topic, "key3", new byte[1])));
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(200);
    assertFalse(status().has("retention_ready_bytes"));
    client.send(topic, "key3", new byte[1]).expect(200);
    for (Object bad : List.of(0, -1, "10", 1L << 51)) {
      client.putTopic(topic, Fields.of("retention_ready_bytes", bad)).expect(400);
    }
  }

  @Test
  void retentionIsShownAndEnforcedAtItsEdges() throws IOException {
    client
        .putTopic(
            topic,
            Fields.of("ready_shards", 1)
                .with("retention_ready_count", 2)
                .with("retention_inflight_count", 1)
                .with("retention_inflight", "20s"))
        .expect(201);
    JsonNode shown = status();
    assertEquals(2, shown.path("retention_ready_count").asInt());
    assertEquals("20s", shown.path("retention_inflight").asText());

    send(0, 2);
    assertEquals("retention_ready_count", refused(client.send(topic, "key2", new byte[1])));
    Fields ask = asking().with("visibility_ms", 10_000);
    Message held = client.recv(ask).expect(200).messages().get(0);
    assertEquals("retention_inflight_count", refused(client.recv(ask)));
    MailboxAnswer tooLong = client.extend(held, Duration.ofSeconds(21)).expect(400);
    assertEquals(List.of("visibility_ms"), tooLong.fields());
    client.extend(held, Duration.ofSeconds(15)).expect(200);
    client.ack(held).expect(200);
    MailboxAnswer tooLongFromTheStart =
        client.recv(asking().with("visibility_ms", 20_001)).expect(400);
    assertEquals(List.of("visibility_ms"), tooLongFromTheStart.fields());
    send(2, 3);
  }

  private static String refused(MailboxAnswer answer) throws IOException {
    return answer.expect(429).json().path("reason").asText();
  }

  @Test
  void anExpiredMessageIsADeadLetterWithItsReason() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1).with("retention_ready", "1s")).expect(201);
    send(0, 3);
    eventually(() -> status().path("dlq").asInt() == 3, "three dead letters");
    JsonNode found = client.get("/v1/dlq/" + topic + "?reason=expired").expect(200).json();
    assertEquals(
        Set.of("key0", "key1", "key2"),
        new HashSet<>(found.path("letters").findValuesAsText("idem_key")));
    eventually(() -> told("dlq_total", "expired") == 3, "three that expired");
    eventually(() -> told("queue_depth", "") == 0, "an empty queue");
    eventually(() -> told("dlq_depth", "") == 3, "three in the gauge");
  }

  private static void eventually(Deadline.Condition condition, String what) {
    Deadline.in(PATIENCE).await(condition, () -> what);
  }

  /** The sum of a family's metrics of this topic that have a label of a value, if one is given. */
  private double told(String family, String label) throws IOException {
    return Scrape.of(client.get("/metrics").expect(200).text()).values().entrySet().stream()
        .filter(metric -> metric.getKey().startsWith(family + "{"))
        .filter(metric -> metric.getKey().contains("topic=\"" + topic + "\""))
        .filter(metric -> label.isEmpty() || metric.getKey().contains("\"" + label + "\""))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void theShardsOfATopicInUseChangeWithoutLosingOrDoublingAnything() throws Exception {
    client.putTopic(topic, Fields.of("ready_shards", 4)).expect(201);
    Set<String> sent = ConcurrentHashMap.newKeySet();
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    List<String> twice = new ArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Boolean> sender = background(() -> sendUntil(over, sent));
    CompletableFuture<Boolean> receiver =
        background(() -> receiveUntil(sender, sent, acknowledged, twice));
    for (int shards : new int[] {7, 2, 1, 5, 3}) {
      int before = sent.size();
      eventually(() -> sent.size() > before + 50, "fifty more messages");
      client.putTopic(topic, Fields.of("ready_shards", shards)).expect(200);
    }
    over.set(true);
    sender.get(60, TimeUnit.SECONDS);
    receiver.get(60, TimeUnit.SECONDS);

    assertEquals(Set.of(), difference(sent, acknowledged), "sent and never received");
    assertEquals(Set.of(), difference(acknowledged, sent), "received and never sent");
    assertEquals(List.of(), twice, "delivered after it was acknowledged");
    eventually(() -> status().path("closing_shards").asInt() == 0, "empty shards are closed");
    assertEquals(3, status().path("ready_shards").asInt());
    int entries = 0;
    for (int shard = 0; shard < 7; shard++) {
      entries += look("ledger/verify?shard=" + shard).path("intact_up_to").asInt();
    }
    assertEquals(sent.size(), entries);
  }

  private static Set<String> difference(Set<String> one, Set<String> other) {
    Set<String> left = new TreeSet<>(one);
    left.removeAll(other);
    return left;
  }

  private static <T> CompletableFuture<T> background(Callable<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return work.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private boolean sendUntil(AtomicBoolean over, Set<String> sent) throws IOException {
    for (int i = 0; !over.get(); i++) {
      MailboxAnswer answer = client.send(topic, "key" + i, new byte[1]);
      while (answer.status() == 503) {
        answer = client.send(topic, "key" + i, new byte[1]);
      }
      sent.add(answer.expect(200).msgId());
    }
    return true;
  }

  private boolean receiveUntil(
      CompletableFuture<?> sender, Set<String> sent, Set<String> acknowledged, List<String> twice)
      throws IOException {
    while (!sender.isDone() || acknowledged.size() < sent.size()) {
      MailboxAnswer answer = client.recv(asking().with("wait_ms", 500));
      for (Message message : answer.status() == 503 ? List.<Message>of() : answer.messages()) {
        if (acknowledged.contains(message.msgId())) {
          twice.add(message.msgId());
        }
        client.ack(message).expect(200);
        acknowledged.add(message.msgId());
      }
    }
    return true;
  }
}
