package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;
import org.svcmailbox.test.net.RawConnection;

/** A server with room for little, driven over every edge it has: answers, metrics, and after. */
@Order(1)
class BoundsIT {
  private static final int MOST_CONNECTIONS = 40;
  private static final int RATE = 100;

  /** Connections that together make more calls than the rate, of a slow server too. */
  private static final int CALLERS = 8;

  /** Less than a call waits. */
  private static final Duration SOON = Duration.ofSeconds(15);

  private static final Duration IDLE = Duration.ofSeconds(8);
  private static final Duration CUT = Duration.ofSeconds(20);

  private static MailboxServer server;
  private static MailboxClient client;

  private final String topic = TestTopics.fresh("bounds");

  @BeforeAll
  static void start() {
    server =
        MailboxServer.start(
            "bounds",
            Map.ofEntries(
                Map.entry("MAILBOX_MAX_CONNS", Integer.toString(MOST_CONNECTIONS)),
                Map.entry("MAILBOX_READ_TIMEOUT", "3s"),
                Map.entry("MAILBOX_WRITE_TIMEOUT", "3s"),
                Map.entry("MAILBOX_IDLE_TIMEOUT", IDLE.toSeconds() + "s"),
                // One caller is to meet each bound itself.
                Map.entry("MAILBOX_FAIR_SHARE", "100"),
                Map.entry("MAILBOX_MAX_WAITING", "3"),
                Map.entry("MAILBOX_GLOBAL_INFLIGHT", "5"),
                Map.entry("MAILBOX_GLOBAL_INFLIGHT_BYTES", "1048576"),
                Map.entry("MAILBOX_DEDUP_CAPACITY", "60"),
                Map.entry("MAILBOX_T_REPLAY", "1s"),
                Map.entry("MAILBOX_TOPICS_MAX", "20"),
                Map.entry("MAILBOX_MAX_BATCH", "5"),
                Map.entry("MAILBOX_MAX_ATTRS", "2"),
                Map.entry("MAILBOX_MAX_ATTR_VALUE", "10"),
                Map.entry("MAILBOX_RATE_ADDRESS", Integer.toString(RATE)),
                Map.entry("MAILBOX_RATE_TOPIC", Integer.toString(RATE)),
                Map.entry("MAILBOX_CAPABILITY_MAX_REVOKED", "2"),
                Map.entry("MAILBOX_TRUSTED_PROXIES", "127.0.0.0/8")));
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** The form of a refusal under load, and its count. */
  private static void assertRefused(int status, String reason, MailboxAnswer answer, double before)
      throws IOException {
    answer.expect(status);
    assertEquals(status == 503 ? "E_UNAVAILABLE" : "E_SATURATED", answer.code());
    assertEquals(reason, answer.reason());
    assertTrue(answer.json().path("retry_after_ms").asLong() > 0, answer::text);
    assertTrue(Long.parseLong(answer.header("Retry-After").orElse("0")) >= 1, "Retry-After");
    assertTrue(rejected(reason) > before, () -> "not counted: " + reason);
  }

  private static double rejected(String reason) throws IOException {
    return metric("rejected_total{reason=\"" + reason + "\"}");
  }

  private static double used(String bound) throws IOException {
    return metric("bound_used{bound=\"" + bound + "\"}");
  }

  private static double cut(String op) throws IOException {
    return metric("io_timeouts_total{op=\"" + op + "\"}");
  }

  private static double metric(String name) throws IOException {
    return Scrape.of(client.with(null).get("/metrics").expect(200).text()).value(name);
  }

  private void send(int messages, int bytes) throws IOException {
    for (int i = 0; i < messages; i++) {
      String key = TestTopics.fresh("key");
      // The table of keys is small, and other tests have filled it.
      Deadline.in(SOON)
          .await(
              () -> client.send(topic, key, new byte[bytes]).status() == 200,
              () -> "room for a key");
    }
  }

  private Fields recv(int most) {
    return Fields.of("topic", topic)
        .with("max_messages", most)
        .with("wait_ms", 10_000)
        .with("visibility_ms", 60_000);
  }

  @Test
  void thereIsAnIoThreadForEachProcessor() {
    long processors = Math.max(2, Runtime.getRuntime().availableProcessors());
    assertEquals(processors, server.threads("default I/O-"));
  }

  @Test
  void messagesUnderALease() throws IOException {
    // One worker: several lease ahead for a call, and for a moment count more than was handed out.
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    send(6, 10);
    List<Message> held = client.recvAll(recv(5), 5);
    double before = rejected("global_inflight");
    assertEquals(5, used("global_inflight"));
    assertRefused(429, "global_inflight", client.recv(recv(1)), before);
    client.ackBatch(held).expect(200);
    List<Message> last = client.recvAll(recv(5), 1);
    client.ackBatch(last).expect(200);
    assertEquals(0, used("global_inflight"));
  }

  @Test
  void bytesUnderALease() throws IOException {
    send(2, 1_048_576);
    List<Message> held = client.recvAll(recv(5), 1);
    double before = rejected("global_inflight_bytes");
    assertEquals(1_048_576, used("global_inflight_bytes"));
    assertRefused(429, "global_inflight_bytes", client.recv(recv(1)), before);
    client.ackBatch(held).expect(200);
    client.ackBatch(client.recvAll(recv(5), 1)).expect(200);
    assertEquals(0, used("global_inflight_bytes"));
  }

  @Test
  void callsThatWait() throws IOException {
    List<RawConnection> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        RawConnection one = server.target().connect();
        waiting.add(one);
        one.send(
            server.target().post("/v1/recv", Fields.of("topic", topic).with("wait_ms", 30_000)));
      }
      Deadline.in(SOON).await(() -> used("max_waiting") == 3, () -> "three that wait");
      double before = rejected("max_waiting");
      assertRefused(429, "max_waiting", client.recv(recv(1)), before);
    } finally {
      for (RawConnection one : waiting) {
        one.close();
      }
    }
    Deadline.in(SOON).await(() -> used("max_waiting") == 0, () -> "none that waits");
  }

  @Test
  void keys() throws IOException {
    // The first must not be over before a slow machine has sent the last.
    client.putTopic(topic, Fields.of("t_replay", "5s")).expect(201);
    double before = rejected("dedup_capacity");
    for (int batch = 0; batch < 12; batch++) {
      List<Fields> five = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        five.add(Fields.send(topic, "batch-" + batch + "-" + i, new byte[1]));
      }
      client.sendBatch(five).expect(200);
    }
    MailboxAnswer answer = client.send(topic, "first", new byte[1]);
    for (int i = 0; answer.status() == 200; i++) {
      answer = client.send(topic, "key-" + i, new byte[1]);
    }
    assertRefused(429, "dedup_capacity", answer, before);
    send(1, 1);
  }

  @Test
  void topics() throws IOException {
    double before = rejected("topics_max");
    List<String> made = new ArrayList<>();
    MailboxAnswer answer;
    do {
      String name = TestTopics.fresh("many");
      answer = client.putTopic(name, Fields.of("ready_shards", 1));
      made.add(name);
    } while (answer.status() == 201);
    assertRefused(429, "topics_max", answer, before);
    for (String name : made.subList(0, made.size() - 1)) {
      client.deleteTopic(name).expect(200);
    }
    client.putTopic(topic, Fields.NONE).expect(201);
  }

  @Test
  void partsOfARequest() throws IOException {
    Fields one = Fields.send(topic, "key", new byte[1]);
    MailboxAnswer batch = client.sendBatch(java.util.Collections.nCopies(6, one)).expect(400);
    assertEquals(List.of("messages"), batch.fields());
    Fields attrs = Fields.of("a", "1").with("b", "2");
    assertEquals(
        List.of("attrs"),
        client.send(one.with("attrs", attrs.with("c", "3"))).expect(400).fields());
    Fields value = Fields.of("a", "x".repeat(11));
    assertEquals(List.of("attrs.a"), client.send(one.with("attrs", value)).expect(400).fields());
    client.send(one.with("attrs", attrs.with("a", "x".repeat(10)))).expect(200);
  }

  @Test
  void revocations() throws IOException {
    double before = rejected("max_revoked");
    client.post("/v1/capabilities/revoke", Fields.of("nonce", "1".repeat(32))).expect(200);
    client.post("/v1/capabilities/revoke", Fields.of("nonce", "2".repeat(32))).expect(200);
    MailboxAnswer answer =
        client.post("/v1/capabilities/revoke", Fields.of("nonce", "3".repeat(32)));
    assertRefused(429, "max_revoked", answer, before);
  }

  @Test
  void callsFromOneAddress() throws Exception {
    double before = rejected("rate_address");
    CallTarget target = server.target();
    assertEquals(429, firstRefusal((raw, i) -> call(raw, target, "203.0.113.1")).status());
    assertTrue(rejected("rate_address") > before, "counted");
    try (RawConnection raw = target.connect()) {
      assertEquals(200, call(raw, target, "203.0.113.2").status(), "from another one");
      assertEquals(
          200, call(raw, target, "203.0.113.1, 203.0.113.3").status(), "who says he is another");
    }
  }

  private interface Caller {
    RawConnection.Response call(RawConnection raw, int number) throws IOException;
  }

  private static RawConnection.Response firstRefusal(Caller caller) throws Exception {
    Queue<RawConnection.Response> refusals = new ConcurrentLinkedQueue<>();
    var unused =
        Together.run(
            CALLERS,
            () -> {
              try (RawConnection raw = server.target().connect()) {
                for (int i = 0; i < 50 * RATE && refusals.isEmpty(); i++) {
                  RawConnection.Response answer = caller.call(raw, i);
                  if (answer.status() != 200) {
                    refusals.add(answer);
                  }
                }
                return refusals.size();
              }
            });
    return refusals.element();
  }

  private static RawConnection.Response call(RawConnection raw, CallTarget target, String from)
      throws IOException {
    raw.send(target.head("GET", "/v1/topics") + "X-Forwarded-For: " + from + "\r\n\r\n");
    return raw.receive(SOON);
  }

  @Test
  void anAddressOfACapabilityIsThatOfTheClientBehindTheProxy() throws IOException {
    CallTarget target = server.target().with(client.mint("ip = 198.51.100.0/24"));
    try (RawConnection raw = target.connect()) {
      assertEquals(200, call(raw, target, "198.51.100.7").status());
      assertEquals(403, call(raw, target, "198.51.101.7").status());
      assertEquals(
          403, call(raw, target, "198.51.100.7, 203.0.113.9").status(), "the nearest one counts");
      assertEquals(403, call(raw, target, "nonsense").status());
    }
  }

  @Test
  void callsOnOneTopic() throws Exception {
    double before = rejected("rate_topic");
    String other = TestTopics.fresh("calm");
    client.putTopic(topic, Fields.NONE).expect(201);
    // Each from another address: only the topic is the same.
    RawConnection.Response refusal =
        firstRefusal((raw, i) -> receive(raw, topic, "192.0.2." + (i % 250)));
    assertEquals(429, refusal.status());
    assertTrue(refusal.body().contains("rate_topic"), refusal.body());
    assertTrue(rejected("rate_topic") > before, "counted");
    try (RawConnection raw = server.target().connect()) {
      assertEquals(200, receive(raw, other, "192.0.2.251").status());
    }
  }

  private static RawConnection.Response receive(RawConnection raw, String topic, String from)
      throws IOException {
    String json = Fields.of("topic", topic).text();
    raw.send(
        server.target().head("POST", "/v1/recv")
            + "X-Forwarded-For: "
            + from
            + "\r\nContent-Length: "
            + json.length()
            + "\r\n\r\n"
            + json);
    return raw.receive(SOON);
  }

  @Test
  void connections() throws IOException {
    List<RawConnection> open = new ArrayList<>();
    double before = rejected("max_conns");
    try {
      // The first is not idle for long when the last opens.
      for (int i = 0; i < MOST_CONNECTIONS; i++) {
        // The console's connections are the same server's.
        open.add(opened(i % 2 == 0 ? "/console/" : "/v1/topics"));
      }
      for (RawConnection one : open) {
        var unused = one.receive(SOON);
      }
      open.add(opened("/console/"));
      RawConnection.Response last = open.get(MOST_CONNECTIONS).receive(SOON);
      assertEquals(503, last.status());
      assertTrue(last.body().contains("max_conns"), last.body());
      assertEquals("1", last.headers().get("retry-after"));
      assertEquals(200, client.with(null).get("/readyz").status(), "health is served all the same");
      assertTrue(rejected("max_conns") > before, "counted");
    } finally {
      for (RawConnection one : open) {
        one.close();
      }
    }
    Deadline.in(SOON).await(() -> client.topics().status() == 200, () -> "room again");
  }

  private static RawConnection opened(String path) throws IOException {
    RawConnection raw = server.target().connect();
    return raw.send(server.target().head("GET", path) + "\r\n");
  }

  @Test
  void aBodyThatTricklesIsCutAndCounted() throws IOException {
    double before = cut("read");
    try (RawConnection raw = server.target().connect()) {
      raw.send(server.target().head("POST", "/v1/send") + "Content-Length: 1000\r\n\r\n");
      Deadline deadline = Deadline.in(CUT);
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              assertTrue(deadline.left().toMillis() > 0, "it is never cut");
              raw.send("x");
              raw.isSilentFor(Duration.ofMillis(200));
            }
          });
    }
    assertEquals(before + 1, cut("read"));
  }

  @Test
  void aConnectionThatNobodyUsesIsClosedAndCounted() throws IOException {
    double before = cut("idle");
    try (RawConnection raw = server.target().connect()) {
      long since = System.nanoTime();
      raw.send(server.target().head("GET", "/v1/topics") + "\r\n");
      assertEquals(200, raw.receive(SOON).status());
      assertTrue(raw.isEnded(), "still open");
      Duration taken = Duration.ofNanos(System.nanoTime() - since);
      assertTrue(taken.compareTo(IDLE.minusMillis(500)) > 0, taken::toString);
    }
    Deadline.in(SOON).await(() -> cut("idle") > before, () -> "counted");
  }

  @Test
  void aReaderThatStallsIsCutAndCountedAndItsMessagesComeBack() throws IOException {
    send(1, 1_000_000);
    double before = cut("write");
    try (RawConnection raw = server.target().connectNarrow()) {
      raw.send(server.target().post("/v1/recv", recv(1)));
      Deadline.in(CUT).await(() -> cut("write") > before, () -> "the cut");
    }
    Message back = client.recv(recv(1).with("wait_ms", 20_000)).expect(200).message();
    assertEquals(1, back.attempt(), "no attempt is spent");
    client.ack(back).expect(200);
  }
}
