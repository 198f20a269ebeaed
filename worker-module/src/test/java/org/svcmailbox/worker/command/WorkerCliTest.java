package org.svcmailbox.worker.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.worker.config.SettingsFiles;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Connections;

class WorkerCliTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path directory;

  private final FakeTopics service = new FakeTopics();
  private final LoopbackHttp handler =
      new LoopbackHttp(exchange -> LoopbackHttp.answer(exchange, 200, "text/plain", ""));
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private SettingsFiles files;

  @BeforeEach
  void write() {
    files =
        new SettingsFiles(directory)
            .worker(
                "context = \"sea\"\n[service]\nurl = \"%s\"\n[inbox]\nconsumers = [\"sea__from_vibespro\"]"
                    .formatted(service.uri()))
            .streams(
                SettingsFiles.STREAMS.replace("http://127.0.0.1:8000", handler.uri().toString()));
  }

  @AfterEach
  void close() {
    service.close();
    handler.close();
  }

  /** Runs a command that must end with an exit code, and returns its lines. */
  private List<JsonNode> run(int expected, String... arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    err.reset();
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("--config", files.worker().toString()));
    int code =
        WorkerCli.run(
            Map.of(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            line.toArray(String[]::new));
    assertEquals(expected, code, () -> out.toString(UTF_8) + err.toString(UTF_8));
    List<JsonNode> lines = new ArrayList<>();
    if (code < 2) {
      for (String json : out.toString(UTF_8).lines().toList()) {
        lines.add(MAPPER.readTree(json));
      }
    }
    return lines;
  }

  private HikariDataSource source() {
    return Connections.forCommand(
        new WorkerSettings.Database(
            "jdbc:sqlite:" + directory.resolve("sea-mq.db"), null, null, 3));
  }

  private MessageId record(HikariDataSource source) throws Exception {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      MessageId id = JdbcOutbox.of(connection).record(NewEvent.of("order", "7", "placed", "{}"));
      connection.commit();
      return id;
    }
  }

  /** An event that nobody subscribes to. */
  private MessageId parked() throws Exception {
    try (HikariDataSource source = source();
        JdbcOutboxStore store = new JdbcOutboxStore(source)) {
      MessageId id = record(source);
      OutboxPublisher publisher =
          OutboxPublisher.builder(
                  store,
                  PublisherSettings.of("sea"),
                  subject -> List.of(),
                  topic -> {
                    throw new AssertionError(topic);
                  })
              .build();
      assertEquals(1, publisher.step());
      return id;
    }
  }

  @Test
  void migrationsAreTakenOnce() throws Exception {
    assertTrue(run(0, "migrate").get(0).path("migrations").asInt() > 0);
    assertEquals(0, run(0, "migrate").get(0).path("migrations").asInt(-1));
  }

  @Test
  void aWorkerDoesNotStartOnTablesThatAreMissing() throws Exception {
    assertEquals(List.of(), run(2, "run"));
    assertTrue(err.toString(UTF_8).contains("run migrate first"), err.toString(UTF_8));
  }

  @Test
  void theStatusCountsWhatWaits() throws Exception {
    run(0, "migrate");
    parked();
    try (HikariDataSource source = source()) {
      record(source);
    }
    List<JsonNode> lines = run(0, "status");
    assertEquals("outbox", lines.get(0).path("backlog").asText());
    assertEquals(2, lines.get(0).path("count").asInt());
    assertTrue(lines.get(0).path("oldest_at").asText().endsWith("Z"), lines.toString());
    assertEquals("parked", lines.get(1).path("backlog").asText());
    assertEquals(1, lines.get(1).path("count").asInt());
    assertEquals("inbox", lines.get(2).path("backlog").asText());
    assertEquals(0, lines.get(2).path("count").asInt());
    assertTrue(lines.get(2).path("oldest_at").isMissingNode());
  }

  @Test
  void parkedEventsAreListedAndTriedAgain() throws Exception {
    run(0, "migrate");
    MessageId id = parked();
    JsonNode line = run(0, "outbox", "list", "--error", "no_route").get(0);
    assertEquals(id.toString(), line.path("id").asText());
    assertEquals("order:7", line.path("aggregate").asText());
    assertEquals("NO_ROUTE", line.path("code").asText());
    assertEquals(1, line.path("attempts").asInt());
    assertEquals(List.of(), run(0, "outbox", "list", "--error", "refused"));
    assertEquals(List.of(), run(0, "outbox", "list", "--older-than", "1h"));
    run(2, "outbox", "retry", id.toString());
    assertTrue(err.toString(UTF_8).contains("--note"), err.toString(UTF_8));
    run(2, "outbox", "retry", "--note", "routed now");
    run(2, "outbox", "retry", "--all", id.toString(), "--note", "routed now");
    JsonNode retried = run(0, "outbox", "retry", "--all", "--note", "routed now").get(0);
    assertEquals(1, retried.path("retried").asInt());
    assertEquals(List.of(), run(0, "outbox", "list"));
    run(1, "outbox", "retry", id.toString(), "--note", "routed now");
  }

  @Test
  void aParkedEventIsSkippedOnce() throws Exception {
    run(0, "migrate");
    String id = parked().toString();
    assertTrue(
        run(0, "outbox", "skip", id, "--note", "test order").get(0).path("skipped").asBoolean());
    assertFalse(
        run(1, "outbox", "skip", id, "--note", "test order").get(0).path("skipped").asBoolean());
  }

  @Test
  void whatIsNotPublishedIsNotPublishedOnceMore() throws Exception {
    run(0, "migrate");
    String id = parked().toString();
    run(1, "outbox", "republish", id, "--note", "lost");
    JsonNode copy = run(0, "outbox", "republish", id, "--new-id", "--note", "lost").get(0);
    assertFalse(copy.path("id").asText().equals(id));
  }

  @Test
  void topicsGetTheirSettings() throws Exception {
    run(0, "apply");
    JsonNode topic = MAPPER.readTree(service.topics.get("/v1/topics/sea__from_vibespro"));
    assertEquals(20, topic.path("max_attempts").asInt());
    assertEquals("PT2M", topic.path("default_visibility").asText());
    assertEquals("PT168H", topic.path("retention_ready").asText());
    assertEquals(10L << 30, topic.path("retention_ready_bytes").asLong());
    assertEquals(50, topic.path("retention_inflight_count").asInt());
    assertEquals("PT5M", topic.path("backoff_max").asText());
    assertEquals("PT22M", topic.path("retention_inflight").asText());
    assertEquals("PT336H", topic.path("retention_dlq").asText());
  }

  @Test
  void aCheckTellsWhatIsMissing() throws Exception {
    List<JsonNode> before = run(1, "check");
    assertEquals("2 migrations are missing: run migrate", status(before, "tables"));
    assertTrue(status(before, "topic sea__from_vibespro").contains("404"), before.toString());
    run(0, "migrate");
    run(0, "apply");
    List<JsonNode> after = run(0, "check");
    after.forEach(line -> assertEquals("ok", line.path("status").asText(), after.toString()));
    assertEquals(
        List.of(
            "settings",
            "database",
            "service",
            "handler sea__from_vibespro",
            "tables",
            "topic sea__from_vibespro"),
        after.stream().map(line -> line.path("part").asText()).toList());
  }

  @Test
  void aCheckComparesTopics() throws Exception {
    run(0, "migrate");
    run(0, "apply");
    service.topics.replaceAll((path, topic) -> topic.replace(":20,", ":5,"));
    assertEquals(
        "max_attempts is 5, not 20: run apply",
        status(run(1, "check"), "topic sea__from_vibespro"));
    service.permitsPeek = false;
    assertEquals("ok", status(run(0, "check"), "topic sea__from_vibespro"));
  }

  @Test
  void aCheckTellsThatTheHandlerIsAway() throws Exception {
    run(0, "migrate");
    run(0, "apply");
    handler.close();
    assertTrue(status(run(1, "check"), "handler sea__from_vibespro").contains("refused"));
  }

  private static String status(List<JsonNode> lines, String part) {
    return lines.stream()
        .filter(line -> line.path("part").asText().equals(part))
        .findFirst()
        .orElseThrow()
        .path("status")
        .asText();
  }

  @Test
  void settingsThatAreWrongAreAllTold() throws Exception {
    files.worker("colour = \"red\"");
    run(2, "status");
    String told = err.toString(UTF_8);
    assertTrue(told.contains("INVALID_CONFIG"), told);
    assertTrue(told.contains("context is missing"), told);
    assertTrue(told.contains("colour is no setting"), told);
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "outbox", "inbox", "outbox skip x --note y"})
  void whatIsNoCommandIsMisuse(String arguments) throws Exception {
    run(2, arguments.split(" ", -1));
  }

  @Test
  void aServiceThatIsAwayIsWorthAnotherTry() throws Exception {
    service.close();
    run(4, "apply");
  }
}
