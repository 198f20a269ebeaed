package org.svcmailbox.worker.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
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

/** The command line on a database of its own, with a service and a handler in this process. */
abstract class CliFixture {
  /** The consumer, and its topic. */
  static final String TOPIC = "sea__from_vibespro";

  static final ObjectMapper MAPPER = new ObjectMapper();

  /** The stream of the context's own events, which nobody subscribes to. */
  private static final String SEA =
      """
      [[stream]]
      name = "SEA_EVENTS"
      subjects = ["sea.event.>"]
      """;

  /** The status that the handler answers. */
  volatile int handlerStatus = 200;

  /** The bodies that it got. */
  final List<String> handled = new ArrayList<>();

  final FakeTopics service = new FakeTopics();
  final LoopbackHttp handler =
      new LoopbackHttp(
          exchange -> {
            handled.add(LoopbackHttp.body(exchange));
            LoopbackHttp.answer(exchange, handlerStatus, "text/plain", "because");
          });

  SettingsFiles files;

  @TempDir Path directory;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** The database; a file of SQLite unless a test says otherwise. */
  protected WorkerSettings.Database database() {
    return new WorkerSettings.Database(
        "jdbc:sqlite:" + directory.resolve("sea-mq.db"), null, null, 3);
  }

  /** The context whose events the consumer subscribes to. */
  protected String context() {
    return "sea";
  }

  @BeforeEach
  void write() {
    files =
        new SettingsFiles(directory)
            .worker(
                """
                context = "%s"
                [database]
                url = "%s"
                [service]
                url = "%s"
                [inbox]
                consumers = ["sea__from_vibespro"]
                """
                    .formatted(context(), database().url(), service.uri()))
            .streams(
                SettingsFiles.STREAMS.replace("http://127.0.0.1:8000", handler.uri().toString())
                    + SEA);
  }

  @AfterEach
  void close() {
    service.close();
    handler.close();
  }

  /** Runs a command that must end with an exit code, and returns its lines. */
  List<JsonNode> run(int expected, String... arguments) throws IOException {
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
    assertEquals(expected, code, () -> out.toString(UTF_8) + errors());
    List<JsonNode> lines = new ArrayList<>();
    if (code != ExitCode.USAGE.number()) {
      for (String json : out.toString(UTF_8).lines().toList()) {
        lines.add(MAPPER.readTree(json));
      }
    }
    return lines;
  }

  /** The error stream of the last command. */
  String errors() {
    return err.toString(UTF_8);
  }

  static List<String> texts(List<JsonNode> lines, String field) {
    return lines.stream().map(line -> line.path(field).asText()).toList();
  }

  Path file(String name, String content) {
    files.write(name, content);
    return directory.resolve(name);
  }

  HikariDataSource source() {
    return Connections.forCommand(database());
  }

  /** Records an event of one order. */
  MessageId record() throws Exception {
    try (HikariDataSource source = source();
        Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      MessageId id = JdbcOutbox.of(connection).record(NewEvent.of("order", "7", "placed", "{}"));
      connection.commit();
      return id;
    }
  }

  /** Records an event that nobody subscribes to. */
  MessageId parked() throws Exception {
    MessageId id = record();
    try (HikariDataSource source = source();
        JdbcOutboxStore store = new JdbcOutboxStore(source)) {
      OutboxPublisher publisher =
          OutboxPublisher.builder(
                  store,
                  PublisherSettings.of("sea"),
                  subject -> List.of(),
                  topic -> {
                    throw new AssertionError(topic);
                  })
              .build();
      // A claim takes half of the lanes.
      assertEquals(1, publisher.step() + publisher.step());
      return id;
    }
  }

  /** The audit: each row as actor, action, id and note. */
  List<String> audit() throws Exception {
    List<String> rows = new ArrayList<>();
    try (HikariDataSource source = source();
        Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT actor, action, event_id, note FROM outbox_audit ORDER BY at, id")) {
      while (row.next()) {
        rows.add(
            String.join(
                " ", row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
      }
    }
    return rows;
  }
}
