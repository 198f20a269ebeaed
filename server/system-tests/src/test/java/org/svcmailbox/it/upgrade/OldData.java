package org.svcmailbox.it.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.upgrade.Inventory.Lease;
import org.svcmailbox.it.upgrade.Inventory.Ledger;
import org.svcmailbox.it.upgrade.Inventory.Ready;
import org.svcmailbox.it.upgrade.Inventory.Sent;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A program that has a server make data of every kind, kills it in the middle of SENDs and packs
 * its data directory. The README beside the archive says how it is run.
 */
final class OldData {
  /** Of server and test: what the data depends on. */
  static final Map<String, String> SETTINGS =
      Map.of("MAILBOX_WORKERS", "2", "MAILBOX_RENDEZVOUS_ENABLED", "true");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SENDERS = 4;

  /** SENDs that the database lacks when the server is killed. */
  private static final int LOAD = 200;

  /** A broker keeps so large a message in a file of its own. */
  private static final int LARGE = 300_000;

  private static final int SMALL = 200;
  private static final String DELAY = "delay_ms";

  private final MailboxServer server;
  private final MailboxClient client;
  private final List<JsonNode> topics = new ArrayList<>();
  private final ConcurrentLinkedQueue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> unanswered = new ConcurrentLinkedQueue<>();
  private final List<Ready> ready = new ArrayList<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<JsonNode> letters = new ArrayList<>();
  private final List<Ledger> ledgers = new ArrayList<>();

  private OldData(MailboxServer server) {
    this.server = server;
    this.client = new MailboxClient(server.target());
  }

  /** Of a laid-out server, the commit it was built from, and the directory of the archive. */
  public static void main(String... args) throws Exception {
    Path to = Path.of(args[2]);
    Path directory = Files.createTempDirectory("old-data");
    try (MailboxServer server =
        MailboxServer.startUnpacked(Path.of(args[0]), directory, SETTINGS)) {
      Files.createDirectories(to);
      new OldData(server).make(args[1], to);
    }
  }

  private void make(String commit, Path to) throws Exception {
    topic("acked", Fields.of("ready_shards", 1));
    for (Message message : sendAndReceive("acked", 5)) {
      client.ack(message).expect(200);
    }
    ready();
    leased();
    JsonNode scheduled = delayed();
    grouped();
    letters();
    String job = job();
    everySetting();
    switched();
    topic("rights", Fields.of("ready_shards", 1));
    String capability = capability("topic = rights", "ops = send,recv,ack");
    String revoked = capability("ops = send,recv,ack");
    client.post("/v1/capabilities/rotate", Fields.NONE).expect(200);
    client.post("/v1/capabilities/revoke", Fields.of("capability", revoked)).expect(200);
    Fields rights = Fields.of("rights", List.of("post"));
    JsonNode token = client.post("/v1/rendezvous/tokens", rights).expect(201).json();
    topic("load", Fields.of("ready_shards", 2));
    ledgers();
    Inventory inventory =
        new Inventory(
            commit,
            killUnderLoad(to.resolve("data.zip")).toString(),
            topics,
            List.copyOf(sent),
            ready,
            List.copyOf(unanswered),
            scheduled,
            leases,
            letters,
            ledgers,
            capability,
            revoked,
            job,
            token.path("token").asText());
    inventory.write(to.resolve("inventory.json"));
  }

  private void ready() throws IOException {
    topic("ready", Fields.of("ready_shards", 2).with("max_attempts", 9));
    send(Map.of("attrs", Map.of("colour", "blue")), "ready", "with-attrs", SMALL);
    send(Map.of("corr_id", "c-1"), "ready", "with-corr-id", SMALL);
    send(Map.of(), "ready", "empty", 0);
    send(Map.of(), "ready", "large", LARGE);
    for (String key : List.of("with-attrs", "with-corr-id", "empty", "large")) {
      ready.add(new Ready("ready", key, 1));
    }
    topic("refused", Fields.of("ready_shards", 1).with("max_attempts", 9));
    send(Map.of(), "refused", "twice", SMALL);
    for (int i = 0; i < 2; i++) {
      Fields refusal = Fields.of("reason", "not yet").with(DELAY, 0);
      client.nack(receive("refused", 1).get(0), refusal).expect(200);
    }
    ready.add(new Ready("refused", "twice", 3));
  }

  private void leased() throws IOException {
    topic("leased", Fields.of("ready_shards", 1));
    for (Message message : sendAndReceive("leased", 3)) {
      leases.add(new Lease(message.msgId(), message.receipt()));
    }
  }

  private JsonNode delayed() throws IOException {
    topic("delayed", Fields.of("ready_shards", 1));
    send(Map.of(DELAY, Duration.ofMinutes(5).toMillis()), "delayed", "soon", SMALL);
    send(Map.of(DELAY, Duration.ofHours(6).toMillis()), "delayed", "far", SMALL);
    ready.add(new Ready("delayed", "soon", 1));
    return client.get("/v1/topics/delayed/scheduled").expect(200).json().at("/messages/1");
  }

  private void grouped() throws IOException {
    topic("grouped", Fields.of("ready_shards", 4));
    for (int i = 0; i < 5; i++) {
      for (String group : List.of("a", "b", "c")) {
        String key = group + "-" + i;
        send(Map.of("shard_key", group), "grouped", key, SMALL);
        ready.add(new Ready("grouped", key, 1));
      }
    }
  }

  private void letters() throws IOException {
    topic("letters", Fields.of("ready_shards", 1).with("max_attempts", 1));
    List<Message> held = sendAndReceive("letters", 3);
    Fields refusal = Fields.of(DELAY, 0);
    client.nack(held.get(0), refusal.with("reason", "no such account 7")).expect(200);
    Fields rejection = Fields.of("dead_letter", true).with("reason", "never");
    client.nack(held.get(1), rejection).expect(200);
    client.nack(held.get(2), refusal.with("reason", "as before")).expect(200);
    send(Map.of("ttl_ms", 1), "letters", "expired", SMALL);
    awaitLetters("letters", 4);
    JsonNode page = client.get("/v1/dlq/letters").expect(200).json();
    for (JsonNode letter : page.path("letters")) {
      letters.add(client.get(path(letter)).expect(200).json());
    }
  }

  static String path(JsonNode letter) {
    return "/v1/dlq/" + letter.path("topic").asText() + "/" + letter.path("msg_id").asText();
  }

  /** A letter a second, until it is paused. */
  private String job() throws IOException {
    topic("jobs", Fields.of("ready_shards", 1).with("max_attempts", 1));
    for (Message message : sendAndReceive("jobs", 6)) {
      client.nack(message, Fields.of(DELAY, 0)).expect(200);
      ready.add(new Ready("jobs", message.idemKey(), 1));
    }
    awaitLetters("jobs", 6);
    Fields order = Fields.of("action", "reprocess").with("filter", Fields.NONE);
    JsonNode job =
        client
            .post("/v1/dlq/jobs/jobs", order.with("rate_per_s", 1).with("note", "slow"))
            .expect(202)
            .json();
    String path = "/v1/jobs/" + job.path("job_id").asText();
    Deadline.in(PATIENCE)
        .await(() -> client.get(path).json().path("done").asInt() > 0, () -> "a moved letter");
    JsonNode paused = client.post(path + "/pause", Fields.NONE).expect(200).json();
    require(paused.path("done").asInt() < 6, "the job was faster");
    return job.path("job_id").asText();
  }

  private void awaitLetters(String topic, int letters) {
    Deadline.in(PATIENCE)
        .await(
            () -> client.get("/v1/dlq/" + topic).json().path("letters").size() == letters,
            () -> letters + " letters");
  }

  private void everySetting() throws IOException {
    topic(
        "settings",
        Fields.of("ready_shards", 3)
            .with("shard_capacity", 1234)
            .with("t_replay", "7d")
            .with("max_attempts", 7)
            .with("default_visibility", "42s")
            .with("backoff_base", "300ms")
            .with("backoff_max", "90s")
            .with("retention_ready", "30d")
            .with("retention_ready_count", 5000)
            .with("retention_ready_bytes", 50_000_000)
            .with("retention_inflight", "2h")
            .with("retention_inflight_count", 500)
            .with("retention_dlq", "60d")
            .with("retention_dlq_count", 600)
            .with("reprocess_after", "20d")
            .with("reprocess_times", 3));
  }

  /** A paused topic, and one that was deleted. */
  private void switched() throws IOException {
    topic("paused", Fields.of("ready_shards", 1));
    send(Map.of(), "paused", "held-back", SMALL);
    client.post("/v1/topics/paused/pause", Fields.NONE).expect(200);
    ready.add(new Ready("paused", "held-back", 1));
    client.putTopic("gone", Fields.of("ready_shards", 1)).expect(201);
    client.send("gone", "key", new byte[1]).expect(200);
    client.deleteTopic("gone").expect(200);
  }

  private void ledgers() throws IOException {
    for (JsonNode topic : topics) {
      for (int shard = 0; shard < topic.path("ready_shards").asInt(); shard++) {
        String name = topic.path("name").asText();
        client.verify(name, shard);
        JsonNode page = client.get(Ledger.path(name, shard)).expect(200).json();
        ledgers.add(new Ledger(name, shard, page));
      }
    }
  }

  /** Sends while another process holds the database's lock, so that only the broker has them. */
  private Instant killUnderLoad(Path archive) throws Exception {
    String url = "jdbc:sqlite:" + server.data().resolve("mailbox/mailbox.db");
    List<Thread> senders = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("begin immediate");
      for (int i = 0; i < SENDERS; i++) {
        String name = "load-" + i;
        senders.add(new Thread(() -> sendUntilTheEnd(name), name));
      }
      senders.forEach(Thread::start);
      int before = sent.size();
      Deadline.in(PATIENCE).await(() -> sent.size() >= before + LOAD, () -> LOAD + " SENDs");
      require(lag() > 0, "the database is not behind");
      server.kill9();
      for (Thread sender : senders) {
        sender.join();
      }
      // Before the connection ends, which would tidy the database up.
      DataFiles.pack(server.data(), archive);
    }
    return Instant.now();
  }

  private double lag() throws IOException {
    return Scrape.of(client.get("/metrics").expect(200).text()).value("projection_lag_batches{}");
  }

  private void sendUntilTheEnd(String name) {
    for (int i = 0; ; i++) {
      String key = name + "-" + i;
      try {
        send(Map.of(), "load", key, SMALL);
      } catch (IOException e) {
        unanswered.add(key);
        return;
      }
    }
  }

  private void topic(String name, Fields settings) throws IOException {
    Fields lasting = settings.with("t_replay", "7d").with("shard_capacity", 1234);
    client.putTopic(name, lasting).expect(201);
    topics.add(client.get("/v1/topics/" + name).expect(200).json());
  }

  private void send(Map<String, Object> more, String topic, String key, int size)
      throws IOException {
    Sent unanswered = new Sent(topic, key, size, more, "");
    String id = client.send(unanswered.request()).expect(200).msgId();
    sent.add(new Sent(topic, key, size, more, id));
  }

  private List<Message> sendAndReceive(String topic, int messages) throws IOException {
    for (int i = 0; i < messages; i++) {
      send(Map.of(), topic, topic + "-" + i, SMALL);
    }
    return receive(topic, messages);
  }

  private List<Message> receive(String topic, int messages) throws IOException {
    Fields request =
        Fields.of("topic", topic)
            .with("max_messages", messages)
            .with("wait_ms", 5_000)
            .with("visibility_ms", Duration.ofHours(1).toMillis());
    return client.recvAll(request, messages);
  }

  private String capability(String... caveats) throws IOException {
    Fields request = Fields.of("caveats", List.of(caveats)).with("expires_in", "1h");
    return client.post("/v1/capabilities", request).expect(201).json().path("capability").asText();
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
