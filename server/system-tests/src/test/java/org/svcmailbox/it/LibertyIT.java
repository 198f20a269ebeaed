package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Answers;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.console.Browser;
import org.svcmailbox.it.drill.KillUnderLoad;
import org.svcmailbox.it.observability.GoldenMetric;
import org.svcmailbox.it.server.ConsoleNoise;
import org.svcmailbox.it.server.Layout;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Delivery;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.SendFrame;
import org.svcmailbox.proto.v1.SendHead;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.SendResult;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;

/** The same EAR on Open Liberty, with a broker beside it. */
@Order(1)
class LibertyIT {
  private static final byte[] PAYLOAD = "payload".getBytes(UTF_8);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LOAD = Duration.ofSeconds(2);
  private static final Duration NOTICED = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofSeconds(6);

  /** The exit code of a start whose database is away. */
  private static final int UNAVAILABLE = 69;

  /** Warnings and errors of one outage, as the drill with a pair of brokers has it. */
  private static final int MOST_TROUBLES = 10;

  /** An operator's addition for the server's own page of metrics. */
  private static final Path METRICS_FEATURE =
      Path.of("target", "it", "liberty-metrics.xml").toAbsolutePath();

  /** Names and labels that dashboards stand on. */
  private static final Path GOLDEN =
      Path.of(System.getProperty("basedir", "."), "..", "config/observability/metrics.txt");

  private static MailboxServer server;
  private static MailboxClient client;

  @BeforeAll
  static void start() throws IOException {
    writeMetricsFeature();
    server =
        MailboxServer.start(
            Layout.LIBERTY,
            "liberty",
            Map.of(
                "MAILBOX_GRPC_ENABLED", "true", "MAILBOX_LIBERTY_XML", METRICS_FEATURE.toString()));
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static Message receive(String topic) throws IOException {
    return client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).expect(200).message();
  }

  private static int count(String topic, String state) throws IOException {
    return client.topic(topic).expect(200).json().path(state).asInt(-1);
  }

  @Test
  void aMessageIsSentReceivedAndAcknowledged() throws IOException {
    String topic = TestTopics.fresh("liberty");
    String id = client.send(topic, "key", PAYLOAD).expect(200).msgId();
    assertTrue(client.send(topic, "key", PAYLOAD).expect(200).duplicate());
    Message message = receive(topic);
    assertEquals(id, message.msgId());
    assertArrayEquals(PAYLOAD, message.payload());
    client.ack(message).expect(200);
    assertEquals(0, count(topic, "ready") + count(topic, "inflight"));
  }

  @Test
  void aMessageThatIsRefusedTooOftenIsADeadLetter() throws IOException {
    String topic = TestTopics.fresh("liberty");
    client.putTopic(topic, Fields.of("max_attempts", 2)).expect(201);
    client.send(topic, "key", PAYLOAD).expect(200);
    Fields poison = Fields.of("reason", "poison").with("delay_ms", 0);
    for (int attempt = 1; attempt <= 2; attempt++) {
      Message message = receive(topic);
      assertEquals(attempt, message.attempt());
      client.nack(message, poison).expect(200);
    }
    assertEquals(1, count(topic, "dlq"));
    Deadline.in(SOON).await(() -> letters(topic).size() == 1, () -> "the dead letter in the index");
    assertEquals("poison", letters(topic).at("/0/last_error").asText());
  }

  private static JsonNode letters(String topic) throws IOException {
    return client.get("/v1/dlq/" + topic).expect(200).json().path("letters");
  }

  @Test
  void aReceiverGetsAMessageThatComesWhileItCalls() throws Exception {
    String topic = TestTopics.fresh("liberty");
    client.putTopic(topic, Fields.NONE).expect(201);
    Thread sender =
        new Thread(
            () -> {
              try {
                client.send(topic, "key", PAYLOAD).expect(200);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    sender.start();
    client.ack(receive(topic)).expect(200);
    sender.join();
  }

  @Test
  void aStreamIsCutAndGoesOnWithoutASpentAttempt() throws IOException {
    String topic = TestTopics.fresh("liberty");
    Fields request = Fields.of("topic", topic);
    MessageStream cut = MessageStream.open(server.target(), request);
    assertEquals(200, cut.status());
    cut.next("open");
    client.send(topic, "first", PAYLOAD).expect(200);
    client.send(topic, "second", new byte[1 << 20]).expect(200);
    Message first = cut.messages(1).get(0);
    cut.close();
    try (MessageStream stream =
        MessageStream.open(server.target(), request.with("resume", cut.resume()))) {
      stream.next("open");
      Message second = stream.messages(1).get(0);
      assertEquals(1, second.attempt());
      assertArrayEquals(new byte[1 << 20], second.payload());
      client.ackBatch(List.of(first, second)).expect(200);
      JsonNode line = stream.next();
      assertEquals("heartbeat", line == null ? "cut" : line.path("type").asText());
    }
    assertEquals(0, count(topic, "ready") + count(topic, "inflight"));
  }

  /** Nothing but the failed write of a heartbeat shows it. */
  @Test
  void aClientThatHungUpIsNoticedByTheHeartbeat() throws IOException {
    String topic = TestTopics.fresh("liberty");
    client.send(topic, "key", PAYLOAD).expect(200);
    MessageStream gone =
        MessageStream.open(
            server.target(),
            Fields.of("topic", topic).with("visibility_ms", 60_000).with("on_close", "nack"));
    gone.next("open");
    assertEquals(1, gone.messages(1).get(0).attempt());
    gone.close();
    Message again = client.recvAll(Fields.of("topic", topic).with("wait_ms", 30_000), 1).get(0);
    assertEquals("the stream was cut", again.text("last_error"));
    client.ack(again).expect(200);
  }

  @Test
  void grpcStreamsCarryMessagesBothWays() throws Exception {
    String topic = TestTopics.fresh("liberty");
    byte[] large = new byte[100_000];
    try (GrpcClient grpc = GrpcClient.of(server)) {
      Answers<SendResult> results = new Answers<>();
      var frames = grpc.streams().sendStream(results);
      SendRequest message = SendRequest.newBuilder().setTopic(topic).setIdemKey("key").build();
      frames.onNext(
          SendFrame.newBuilder()
              .setId(1)
              .setHead(SendHead.newBuilder().setMessage(message).setSize(large.length))
              .build());
      frames.onNext(chunk(large, 0, 65_536));
      frames.onNext(chunk(large, 65_536, large.length));
      assertTrue(results.next().getOutcomes(0).hasSent());
      frames.onCompleted();
      assertTrue(results.end().isOk());

      Answers<RecvEvent> events = new Answers<>();
      var commands = grpc.streams().recvStream(events);
      commands.onNext(RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic(topic)).build());
      commands.onNext(
          RecvCommand.newBuilder()
              .setCredit(Credit.newBuilder().setMessages(1).setBytes(1))
              .build());
      assertTrue(events.next().hasOpened());
      Delivery delivery = events.next().getDelivery();
      assertEquals(large.length, delivery.getChunkedSize());
      assertFalse(events.next().getChunk().getLast());
      assertTrue(events.next().getChunk().getLast());
      Received received = delivery.getMessage();
      Ack ack =
          Ack.newBuilder()
              .setMsgId(received.getEnvelope().getMsgId())
              .setReceipt(received.getReceipt())
              .build();
      commands.onNext(
          RecvCommand.newBuilder().setSettle(Settle.newBuilder().setId(7).addAcks(ack)).build());
      assertTrue(events.next().getSettled().getOutcomes(0).hasDone());
      commands.onCompleted();
      assertEquals("closed", events.next().getGoodbye().getReason());
      assertTrue(events.end().isOk());
    }
    assertEquals(0, count(topic, "ready") + count(topic, "inflight"));
  }

  private static SendFrame chunk(byte[] payload, int from, int to) {
    return SendFrame.newBuilder()
        .setId(1)
        .setChunk(
            Chunk.newBuilder()
                .setData(ByteString.copyFrom(payload, from, to - from))
                .setLast(to == payload.length))
        .build();
  }

  @Test
  void readinessIsTheApplications() throws IOException {
    MailboxClient anonymous = client.with(null);
    anonymous.get("/healthz").expect(200);
    anonymous.get("/readyz").expect(200);
  }

  @Test
  void malformedAndUnknownCallsGetProblemsAndLeaveNoLine() throws IOException {
    int before = server.outputLines().size();
    assertEquals("E_SCHEMA", client.post("/v1/send", "{").expect(400).code());
    client.with(null).post("/v1/send", Fields.NONE).expect(401);
    assertEquals("E_NOT_FOUND", client.get("/v1/nowhere").expect(404).code());
    assertEquals("E_NOT_FOUND", client.get("/nowhere").expect(404).code());
    ConsoleNoise.assertNone(linesSince(before));
  }

  @Test
  void aCapabilityIsRefusedWhatItDoesNotName() throws IOException {
    MailboxClient reader = client.with(client.mint("ops = recv"));
    MailboxAnswer refused = reader.send(TestTopics.fresh("liberty"), "key", PAYLOAD).expect(403);
    assertEquals("E_CAP_SCOPE", refused.code());
    assertEquals("operation", refused.reason());
  }

  @Test
  void theFirstUserSignsInToTheConsole() throws IOException {
    Path file = server.data().resolve("mailbox/console.password");
    Browser browser = new Browser(server.uri());
    browser.capability().expect(204);
    browser.signIn("admin", Files.readString(file).strip()).expect(303);
    JsonNode session = browser.capability().expect(200).json();
    assertEquals("administrator", session.path("role").asText());
    client.with(session.path("capability").asText()).topics().expect(200);
    assertTrue(browser.get("/console/").expect(200).text().contains("<html"));
    browser.get("/console/docs/").expect(200);
  }

  /** Its requests name another host and port than the server's. */
  @Test
  void aProxyIsServed() throws IOException {
    try (RawConnection proxy = server.target().connect()) {
      proxy.send(server.target().head("GET", "/readyz") + "\r\n");
      assertEquals(200, proxy.receive(SOON).status());
    }
  }

  @Test
  void noLibraryComplains() {
    List<String> lines = server.outputLines();
    assertFalse(lines.stream().anyMatch(line -> line.contains("SLF4J")), lines::toString);
    ConsoleNoise.assertNone(lines);
  }

  @Test
  @Tag("nightly")
  void aSilentBrokerLeavesLinesAtItsBeginAndItsEnd() throws IOException {
    String topic = TestTopics.fresh("liberty");
    client.putTopic(topic, Fields.NONE).expect(201);
    int before = server.outputLines().size();
    server.freezeBroker();
    try {
      awaitReadiness(503);
      Deadline silence = Deadline.in(SILENCE);
      while (!silence.isOver()) {
        client.send(topic, "key", PAYLOAD).expect(503);
      }
    } finally {
      server.thaw();
    }
    awaitReadiness(200);
    List<String> since = linesSince(before);
    ConsoleNoise.assertNone(since);
    List<String> troubles = ConsoleNoise.troubles(since);
    assertTrue(
        !troubles.isEmpty() && troubles.size() <= MOST_TROUBLES, () -> String.join("\n", since));
  }

  private static void awaitReadiness(int status) {
    Deadline.in(NOTICED)
        .await(() -> client.get("/readyz").status() == status, () -> "readiness " + status);
  }

  private static List<String> linesSince(int before) {
    List<String> lines = server.outputLines();
    return lines.subList(before, lines.size());
  }

  @Test
  @Tag("nightly")
  void nothingIsLostByAKill() throws Exception {
    String topic = TestTopics.fresh("liberty");
    client.send(topic, "key", PAYLOAD).expect(200);
    KillUnderLoad load = new KillUnderLoad(server);
    try {
      load.kill(LOAD);
      server.restart();
      load.assertNothingLostOrDoubled();
    } finally {
      load.stop();
    }
    client.ack(receive(topic)).expect(200);
  }

  @Test
  @Tag("nightly")
  void nothingIsLostByTlsOrByAnEnd() throws Exception {
    String topic = TestTopics.fresh("liberty");
    client.send(topic, "key", PAYLOAD).expect(200);
    assertEquals(0, server.terminate());
    assertNoStartWithoutTheDatabase();
    server.showAtNextStart(
        TestCertificate.in(server.directory().resolve("certificate"), "a password"));
    server.restart();
    assertEquals("https", server.uri().getScheme());
    assertThrows(
        ConnectException.class,
        () -> new Socket(InetAddress.getLoopbackAddress(), server.port(PortOffset.HTTP)).close());
    assertEquals(0, server.terminate());
    List<String> lines = server.outputLines();
    assertTrue(lines.stream().anyMatch(line -> line.contains("Told to stop")), lines::toString);
    server.showAtNextStart(null);
    server.restart();
    client.ack(receive(topic)).expect(200);
  }

  private static void assertNoStartWithoutTheDatabase() {
    Map<String, String> away =
        Map.of(
            "MAILBOX_DB_DRIVER", "postgresql",
            "MAILBOX_DB_URL", "jdbc:postgresql://127.0.0.1:" + PortOffset.freePort() + "/x",
            "MAILBOX_DB_PASSWORD", "none");
    int before = server.outputLines().size();
    away.forEach(server::set);
    server.launch();
    assertEquals(UNAVAILABLE, server.awaitEnd(), "exit code");
    away.keySet().forEach(server::unset);
    List<String> since = linesSince(before);
    String why = "The database does not answer: ";
    assertEquals(1, since.stream().filter(line -> line.contains(why)).count(), since::toString);
    ConsoleNoise.assertNone(since);
  }

  private static void writeMetricsFeature() throws IOException {
    Files.createDirectories(METRICS_FEATURE.getParent());
    Files.writeString(
        METRICS_FEATURE,
        """
        <server>
          <featureManager><feature>mpMetrics-5.1</feature></featureManager>
          <mpMetrics authentication="false"/>
        </server>
        """);
  }

  private static Scrape scrape() throws IOException {
    return Scrape.of(client.with(null).get("/metrics").expect(200).text());
  }

  /** The server orders labels by name. */
  private static String withSortedLabels(String shape) {
    int begin = shape.indexOf('{');
    String labels = shape.substring(begin + 1, shape.length() - 1);
    return shape.substring(0, begin) + new TreeSet<>(List.of(labels.split(",")));
  }

  @Test
  void theServersOwnPageOfMetricsHasEveryFamily() throws IOException {
    String topic = TestTopics.fresh("metered");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    String refused = "rejected_total{reason=\"schema\"}";
    String ready = "queue_depth{shard=\"0\",topic=\"" + topic + "\"}";
    Scrape before = scrape();
    client.send(topic, "counted", PAYLOAD).expect(200);
    client.post("/v1/send", "{").expect(400);
    String sent = "enqueue_latency_seconds_count{}";
    // An answer may arrive before it is counted, also that of an earlier test.
    Deadline.in(SOON)
        .await(
            () -> {
              Scrape scrape = scrape();
              return Stream.of(refused, sent, ready)
                  .allMatch(one -> scrape.value(one) > before.value(one));
            },
            () -> "more each of " + refused + ", " + sent + " and " + ready);
    Scrape after = scrape();
    assertEquals(after.value(sent), after.value("enqueue_latency_seconds_bucket{le=\"+Inf\"}"));

    Set<String> missing = new TreeSet<>();
    for (GoldenMetric metric : GoldenMetric.read(GOLDEN)) {
      if (metric.isOurs()) {
        metric.shapes().forEach(shape -> missing.add(withSortedLabels(shape)));
      }
    }
    after.shapes().forEach(shape -> missing.remove(withSortedLabels(shape)));
    assertEquals(Set.of(), missing, after.shapes()::toString);
  }
}
