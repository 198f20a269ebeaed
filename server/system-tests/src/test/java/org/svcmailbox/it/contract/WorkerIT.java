package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.worker.CommandResult;
import org.svcmailbox.it.worker.RunningWorker;
import org.svcmailbox.it.worker.WorkerProgram;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.test.process.PostgresServer;

/** The worker's program, from its first migration to its stop, on PostgreSQL. */
@Order(1)
@ContractTest
class WorkerIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final Duration HELD = Duration.ofMillis(500);
  private static final int TRANSACTIONS = 200;
  private static final int ORDERS = 20;

  private static final String STREAMS =
      """
      [[stream]]
      name = "SHOP"
      subjects = ["shop.event.>", "shop.dlq.>"]
      max_age = "1d"
      max_bytes = "100MB"
      dead_letter_age = "1d"

      [[consumer]]
      stream = "SHOP"
      durable = "%s"
      filter_subject = "shop.event.>"
      ack_wait = "30s"
      handler = "%s/handle"

      [[consumer]]
      stream = "SHOP"
      durable = "%s"
      filter_subject = "shop.dlq.>"
      """;

  private static final String WORKER =
      """
      context = "shop"
      stop_timeout = "%ds"

      [database]
      url = "%s"

      [service]
      url = "%s"
      token_file = "%s"

      [inbox]
      consumers = ["%s"]

      [health]
      port = 0
      """;

  @TempDir private Path directory;

  private final MailboxClient client;
  private final String topics = TestTopics.fresh("worker");
  private final String orders = topics + ".orders";
  private final String deaths = topics + ".deaths";
  private final Handler handler = new Handler();
  private final LoopbackHttp http = new LoopbackHttp(handler::handle);

  WorkerIT(MailboxClient client) {
    this.client = client;
  }

  /** Answers as the payload says, and remembers what it answered. */
  private static final class Handler {
    private final Map<String, List<Integer>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger held = new AtomicInteger();
    private final CompletableFuture<Void> release = new CompletableFuture<>();

    void handle(HttpExchange exchange) throws IOException {
      JsonNode event = MAPPER.readTree(LoopbackHttp.body(exchange));
      JsonNode payload = event.path("payload");
      if (payload.path("held").asBoolean()) {
        held.incrementAndGet();
        release.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
      }
      List<Integer> before =
          answers.computeIfAbsent(
              event.path("message_id").asText(), id -> new CopyOnWriteArrayList<>());
      int status = payload.path("answer").asInt();
      boolean isBetter = status == 503 && !before.isEmpty();
      before.add(isBetter ? 200 : status);
      LoopbackHttp.answer(exchange, isBetter ? 200 : status, "text/plain", "no such order");
    }
  }

  @AfterEach
  void close() {
    http.close();
  }

  private WorkerProgram program(PostgresServer database) {
    return new WorkerProgram(directory)
        .write("operator.cap", Objects.requireNonNull(client.target().token().get()))
        .write("streams.toml", STREAMS.formatted(orders, http.uri(), deaths))
        .write("worker.toml", settings(database, "operator.cap"));
  }

  private String settings(PostgresServer database, String token) {
    return WORKER.formatted(
        STOP.toSeconds(), database.url(), client.target().server(), token, orders);
  }

  /** From now on with the rights that a worker needs, and no others. */
  private void narrow(WorkerProgram program, PostgresServer database) throws IOException {
    program
        .write(
            "worker.cap",
            client.mint("topic = " + topics + ".*", "ops = send,recv,ack,nack,extend"))
        .write("worker.toml", settings(database, "worker.cap"));
  }

  @Test
  void whatIsCommittedIsHandledAndAStopLeavesNothingInFlight() throws Exception {
    try (PostgresServer database = PostgresServer.start()) {
      WorkerProgram program = program(database);
      program.run("migrate").expect(0);
      program.run("apply").expect(0);
      program.run("check").expect(0);
      narrow(program, database);
      Map<String, Integer> committed = record(database, 0);
      try (RunningWorker worker = program.start(Map.of()).awaitStart()) {
        assertEquals(200, worker.probe("/readyz").statusCode());
        assertEquals(200, worker.probe("/healthz").statusCode());
        committed.putAll(record(database, TRANSACTIONS / 2));
        awaitAnswers(committed);
        assertDead(count(committed, 422));
        assertStatus(program, committed);
        assertMeasured(worker, committed);
        assertStops(worker, database);
      }
    }
  }

  /** Half of the transactions. Returns what the handler is to answer to those that commit. */
  private static Map<String, Integer> record(PostgresServer database, int first)
      throws SQLException {
    Map<String, Integer> committed = new TreeMap<>();
    for (int number = first; number < first + TRANSACTIONS / 2; number++) {
      int answer = List.of(200, 409, 422, 503).get(number % 17 < 4 ? number % 17 : 0);
      boolean commits = number % 7 != 3;
      MessageId id = record(database, number, "{\"answer\":" + answer + "}", commits);
      if (commits) {
        committed.put(id.toString(), answer);
      }
    }
    return committed;
  }

  private static MessageId record(
      PostgresServer database, int number, String payload, boolean commits) throws SQLException {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      String order = Integer.toString(number % ORDERS);
      MessageId id =
          JdbcOutbox.of(connection).record(NewEvent.of("order", order, "placed", payload));
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
      return id;
    }
  }

  private static List<String> count(Map<String, Integer> committed, int answer) {
    return committed.entrySet().stream()
        .filter(event -> event.getValue() == answer)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Each event is answered once, and the ones that were not handled at first twice. */
  private void awaitAnswers(Map<String, Integer> committed) {
    Map<String, List<Integer>> expected = new TreeMap<>();
    committed.forEach(
        (id, answer) -> expected.put(id, answer == 503 ? List.of(503, 200) : List.of(answer)));
    Deadline.in(PATIENCE).await(() -> handler.answers.equals(expected), () -> difference(expected));
  }

  private String difference(Map<String, List<Integer>> expected) {
    Map<String, List<Integer>> missing = new TreeMap<>(expected);
    Map<String, List<Integer>> surplus = new TreeMap<>(handler.answers);
    missing.entrySet().removeAll(handler.answers.entrySet());
    surplus.entrySet().removeAll(expected.entrySet());
    return "missing " + missing + ", surplus " + surplus;
  }

  /** In the dead letters of the service once, and told once to who subscribes to that. */
  private void assertDead(List<String> poisoned) throws IOException {
    assertTrue(poisoned.size() > 5, poisoned::toString);
    String path = "/v1/dlq/" + orders + "?reason=rejected&limit=100";
    Deadline.in(PATIENCE)
        .await(
            () -> client.get(path).json().path("letters").size() >= poisoned.size(),
            () -> "the dead letters");
    JsonNode letters = client.get(path).expect(200).json().path("letters");
    assertEquals(poisoned, sorted(letters.findValuesAsText("idem_key")));
    assertEquals(
        List.of("the handler answered 422: no such order"),
        letters.findValuesAsText("last_error").stream().distinct().toList());
    assertEquals(poisoned, sorted(toldDead(poisoned.size())));
  }

  private List<String> toldDead(int expected) throws IOException {
    // No lease ends before the last call is answered.
    Fields asking =
        Fields.of("topic", deaths)
            .with("max_messages", 100)
            .with("wait_ms", 10_000)
            .with("visibility_ms", 600_000);
    List<String> told = new ArrayList<>();
    for (Message message : client.recvAll(asking, expected)) {
      JsonNode event = MAPPER.readTree(message.payload());
      assertEquals("shop.event.placed.v1", event.path("original_subject").asText());
      told.add(event.path("message_id").asText());
    }
    return told;
  }

  private static List<String> sorted(List<String> ids) {
    return ids.stream().sorted().toList();
  }

  private void assertMeasured(RunningWorker worker, Map<String, Integer> committed)
      throws IOException {
    double dead = count(committed, 422).size();
    double before = count(committed, 409).size();
    double later = count(committed, 503).size();
    Map<String, Double> expected = new TreeMap<>();
    expected.put("outbox_backlog", 0.0);
    expected.put("outbox_parked", 0.0);
    expected.put("outbox_published_total{topic=\"" + orders + "\"}", 0.0 + committed.size());
    expected.put("outbox_published_total{topic=\"" + deaths + "\"}", dead);
    expected.put("inbox_backlog" + ofOrders("}"), 0.0);
    expected.put("inbox_dead" + ofOrders("}"), dead);
    String handled = "inbox_handled_total" + ofOrders(",result=\"%s\"}");
    expected.put(handled.formatted("processed"), committed.size() - before - dead);
    expected.put(handled.formatted("already_processed"), before);
    expected.put(handled.formatted("dead"), dead);
    expected.put(handled.formatted("retry"), later);
    expected.put("handler_latency_seconds_count" + ofOrders("}"), committed.size() + later);
    // Backlogs are counted every 15 s.
    Deadline.in(PATIENCE)
        .await(
            () -> worker.metrics().entrySet().containsAll(expected.entrySet()),
            () -> expected + "\n" + worker.printed());
  }

  private String ofOrders(String end) {
    return "{consumer=\"" + orders + "\"" + end;
  }

  private static void assertStatus(WorkerProgram program, Map<String, Integer> committed)
      throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    CommandResult status = program.run("status").expect(0);
    for (JsonNode line : status.lines()) {
      counts.put(line.path("backlog").asText(), line.path("count").asInt(-1));
    }
    assertEquals(
        Map.of("outbox", 0, "parked", 0, "inbox", 0, "dead", count(committed, 422).size()), counts);
  }

  /** A handler that is called when the signal comes ends, and its message is settled. */
  private void assertStops(RunningWorker worker, PostgresServer database) throws Exception {
    List<MessageId> last = new ArrayList<>();
    for (int number = 0; number < 2 * ORDERS; number++) {
      last.add(record(database, number, "{\"answer\":200,\"held\":true}", true));
    }
    Deadline.in(PATIENCE).await(() -> handler.held.get() > 1, () -> "handlers");
    CompletableFuture.delayedExecutor(HELD.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> handler.release.complete(null));
    assertEquals(0, worker.terminate(PATIENCE), worker::printed);
    JsonNode topic = client.topic(orders).expect(200).json();
    assertEquals(0, topic.path("inflight").asInt(-1), topic::toString);
    Set<String> handled = new TreeSet<>();
    last.stream()
        .map(MessageId::toString)
        .filter(handler.answers::containsKey)
        .forEach(handled::add);
    assertTrue(handled.size() > 1, handled::toString);
    Set<String> processed =
        ids(database, "SELECT message_id FROM inbox_messages WHERE processed_at IS NOT NULL");
    processed.removeIf(Predicate.not(last.stream().map(MessageId::toString).toList()::contains));
    assertEquals(handled, processed);
    int unpublished =
        ids(database, "SELECT id FROM outbox_events WHERE published_at IS NULL").size();
    int waiting = topic.path("ready").asInt() + topic.path("delayed").asInt();
    assertEquals(last.size() - unpublished, handled.size() + waiting, topic::toString);
  }

  private static Set<String> ids(PostgresServer database, String sql) throws SQLException {
    Set<String> ids = new TreeSet<>();
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  @Test
  void settingsThatAreWrongAreAllNamedAndNothingStarts() {
    CommandResult result =
        new WorkerProgram(directory)
            .write("streams.toml", STREAMS.formatted(orders, http.uri(), deaths))
            .write(
                "worker.toml",
                """
                context = "a.b"
                colour = "red"
                [database]
                url = "jdbc:oracle:thin:@db"
                pool = 1
                [service]
                url = "http://mailbox.example"
                [inbox]
                consumers = ["nobody"]
                [health]
                port = 65536
                """)
            .run("run")
            .expect(2);
    assertEquals("", result.out());
    for (String named :
        List.of(
            "INVALID_CONFIG",
            "context begins with a letter",
            "colour is no setting",
            "database.url begins with jdbc:postgresql:",
            "database.pool is a number from 3 to 100",
            "service.url shows the token",
            "service.token_file cannot be read",
            "inbox.consumers names no consumer: nobody",
            "health.port is a number from 0 to 65535")) {
      assertTrue(result.err().contains(named), () -> named + "\n" + result.err());
    }
  }
}
