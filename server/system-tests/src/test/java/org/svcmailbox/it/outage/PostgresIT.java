package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.browser.OpenPage;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.ConsoleNoise;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.Together;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.PostgresServer;

/**
 * A server with PostgreSQL beside it instead of the embedded database. The database goes away and
 * comes back while the server runs, and so does the server.
 */
@Order(1)
class PostgresIT {
  /** The driver waits so long, as in the product, or for half of a shorter outage. */
  private static final long DRIVER_SECONDS = Math.min(10, Outage.LASTS.toSeconds() / 2);

  private static final Duration SOON = Duration.ofSeconds(30);

  private static PostgresServer database;
  private static MailboxServer server;
  private static MailboxClient client;

  @BeforeAll
  static void start() {
    database = PostgresServer.start();
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.merge("MAILBOX_DB_URL", "?socketTimeout=" + DRIVER_SECONDS, String::concat);
    // The capability must not have to be looked up while nobody can.
    settings.put("MAILBOX_CAP_CACHE_TTL", "120s");
    server = MailboxServer.start("postgres", settings);
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (database != null) {
      database.close();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> aStoppedServerStartsAgain() throws Exception {
    return Scenario.across(
        server,
        () -> assertEquals(0, server.terminate(), "exit code"),
        new Survivors(client, false),
        new KeptLeases(client));
  }

  @TestFactory
  Stream<DynamicTest> aKilledServerStartsAgain() throws Exception {
    OpenPage page = OpenPage.of(server);
    return Scenario.across(
        server,
        () -> {
          server.kill9();
          page.assertRefused("No connection to the server");
        },
        new Survivors(client, true),
        new Recovery(page));
  }

  /** An open page of the console. Its session ends with the server. */
  private record Recovery(OpenPage page) implements Scenario {
    @Override
    public String name() {
      return "theBannerOfAnOpenPageGoes";
    }

    @Override
    public void before() {
      page.assertLive();
    }

    @Override
    public void after() {
      try (page) {
        page.assertNothingIsRefused();
      }
    }
  }

  @Test
  @Tag("nightly")
  void aSecondServerIsRefusedAndTheFirstLosesNothing() throws Exception {
    String topic = TestTopics.fresh("contested");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    for (int i = 0; i < 10; i++) {
      client.send(topic, "key-" + i, new byte[10]).expect(200);
    }
    try (MailboxServer second = MailboxServer.launch("postgres-second", database.settings())) {
      Deadline.in(Duration.ofMinutes(2))
          .await(() -> isRefused(second), () -> "no refusal: " + second.outputLines());
      assertFalse(isReady(second), "the second server is ready");
    }
    client.get("/readyz").expect(200);
    for (int i = 0; i < 10; i++) {
      assertTrue(client.send(topic, "key-" + i, new byte[10]).expect(200).duplicate());
    }
    assertEquals(10, client.verify(topic, 0).path("intact_up_to").asInt());
  }

  private static boolean isRefused(MailboxServer second) {
    return second.outputLines().stream()
        .anyMatch(line -> line.contains("ERROR") && line.contains("Another server has this data"));
  }

  private static boolean isReady(MailboxServer second) {
    try {
      return new MailboxClient(new CallTarget(second.uri(), () -> null)).get("/readyz").status()
          == 200;
    } catch (IOException e) {
      // It does not even listen.
      return false;
    }
  }

  @Test
  void thereIsNoEmbeddedDatabase() {
    assertFalse(Files.exists(server.data().resolve("mailbox/mailbox.db")), "an embedded database");
  }

  @Test
  @Tag("nightly")
  void oneThatRefusesStopsNoNewSendAndNothingIsLost(TestReporter reporter) throws IOException {
    outage(database::halt, database::resume, reporter);
  }

  @Test
  void oneThatHangsStopsNoNewSendAndNothingIsLost(TestReporter reporter) throws IOException {
    outage(database::freeze, database::thaw, reporter);
  }

  /** As a replica that lagged and was promoted. */
  @Test
  @Tag("nightly")
  void oneThatFallsBackIsBroughtUpToDateWhileTheServerRuns(@TempDir Path directory)
      throws IOException {
    Traffic traffic = new Traffic(client);
    sendSome(traffic);
    database.halt();
    Path copy = directory.resolve("copy");
    database.copyTo(copy);
    database.resume();
    sendSome(traffic);
    database.halt();
    database.fallBackTo(copy);
    database.resume();
    sendSome(traffic);
    assertEquals(0, scrape().value("projection_broken{}"));
    assertTrue(
        server.outputLines().stream().anyMatch(line -> line.contains("The database fell back to")));
    traffic.settle();
    assertTrue(traffic.repeatFirst().expect(200).duplicate());
  }

  private static void sendSome(Traffic traffic) throws IOException {
    Deadline.in(SOON).await(() -> client.get("/readyz").status() == 200, () -> "readiness");
    for (int i = 0; i < 20; i++) {
      traffic.send();
    }
    awaitCaughtUp();
  }

  private static void outage(Runnable begin, Runnable end, TestReporter reporter)
      throws IOException {
    Outage outage = new Outage(client, reporter);
    outage.prepare(500);
    awaitCaughtUp();
    int before = server.outputLines().size();
    try (OpenPage page = OpenPage.of(server)) {
      outage.last(begin, end, Outage.FOR_WRITES, () -> lookMeanwhile(outage, page));
      page.assertLive();
    }
    outage.assertProbed();
    assertEquals("database,projection", outage.down());
    assertTrue(outage.sentMeanwhile() > Outage.FEW, () -> "SENDs went on: " + outage);
    assertTrue(
        outage.acknowledgedMeanwhile() > Outage.FEW, () -> "RECV and ACK went on: " + outage);
    outage.assertNoneWaitedBefore();
    outage.assertNoneWaited();
    awaitCaughtUp();
    Scrape after = scrape();
    assertEquals(0, after.value("projection_lag_bytes{}"));
    assertEquals(0, after.value("projection_lag_seconds{}"));
    assertEquals(0, after.value("projection_broken{}"));
    List<String> lines = server.outputLines();
    assertBeginningAndEndAreSaidOnce(lines.subList(before, lines.size()));
    outage.traffic().settle();
  }

  /** Pool, transactions and Hibernate would log a stack trace at each attempt. */
  private static void assertBeginningAndEndAreSaidOnce(List<String> console) {
    for (String once : List.of("] database is down: ", "] database is up again")) {
      assertEquals(
          1,
          console.stream().filter(line -> line.contains(once)).count(),
          () -> once + " in " + String.join("\n", console));
    }
    ConsoleNoise.assertNone(console);
  }

  /** The database knows of the first SEND alone, memory of the last one. */
  private static void lookMeanwhile(Outage outage, OpenPage page) throws IOException {
    page.assertRefused("database is down. Refused: SEND", "console", "projection is down");
    page.assertCondition("database is down");
    MailboxAnswer first = outage.traffic().repeatFirst().expect(503);
    assertEquals("database_away", first.reason());
    assertTrue(outage.traffic().repeatLast().expect(200).duplicate());
    Scrape told = scrape();
    assertTrue(told.value("projection_lag_batches{}") >= outage.sentMeanwhile(), told::toString);
    assertTrue(told.value("projection_lag_bytes{}") > 0, told::toString);
    assertTrue(told.value("projection_lag_seconds{}") > 5, told::toString);
    assertTrue(told.value("projection_failures_total{}") > 0, told::toString);
  }

  private static void awaitCaughtUp() {
    Deadline.in(SOON)
        .await(() -> scrape().value("projection_lag_batches{}") == 0, () -> "the projection");
  }

  private static Scrape scrape() throws IOException {
    return Scrape.of(client.with(null).get("/metrics").expect(200).text());
  }

  @Test
  void concurrentDuplicatesAreOneMessageAndOneEntry() throws Exception {
    String topic = TestTopics.fresh("duplicates");
    List<MailboxAnswer> answers = Together.run(50, () -> client.send(topic, "key", new byte[10]));
    assertEquals(1, answers.stream().map(answer -> answer.expect(200).msgId()).distinct().count());
    assertEquals(1, answers.stream().filter(answer -> !answer.duplicate()).count());
    assertEquals(1, client.topic(topic).expect(200).json().path("ready").asInt());
    awaitCaughtUp();
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet pages =
            statement.executeQuery(
                "select length(entries) from ledger_page p join topic t on t.id = p.topic_id"
                    + " where t.name = '"
                    + topic
                    + "'")) {
      assertTrue(pages.next());
      assertEquals(80, pages.getInt(1), "bytes of one entry");
      assertFalse(pages.next());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aStartWithoutTheDatabaseSaysSoInOneLine() {
    assertNoStart(
        Map.of("MAILBOX_DB_URL", "jdbc:postgresql://127.0.0.1:" + PortOffset.freePort() + "/x"),
        69,
        "The database does not answer: Connection to 127.0.0.1:");
  }

  @ParameterizedTest
  @CsvSource({
    "postgres, stranger, The database refuses MAILBOX_DB_USER: FATAL: role",
    "missing,  postgres, The database of MAILBOX_DB_URL does not exist: FATAL: database",
    "others,   guest,    MAILBOX_DB_USER may not create tables in the database: ERROR:"
  })
  @Tag("nightly")
  void aStartThatTheDatabaseRefusesSaysWhatToChange(String name, String user, String why)
      throws SQLException {
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists others");
      statement.execute("create database others");
      statement.execute("drop role if exists guest");
      statement.execute("create role guest login");
    }
    String url = "jdbc:postgresql://127.0.0.1:" + database.port() + "/";
    assertNoStart(Map.of("MAILBOX_DB_URL", url + name, "MAILBOX_DB_USER", user), 78, why);
  }

  private static void assertNoStart(Map<String, String> changed, int code, String why) {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.putAll(changed);
    try (MailboxServer failing = MailboxServer.launch("no-postgres", settings)) {
      ConsoleNoise.assertFailed(failing, code, why);
    }
  }

  @Test
  void aPasswordThatTheServerWouldReadAsAnExpressionIsSaidInOneLineAndTheServerEnds() {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.put("MAILBOX_DB_PASSWORD", "${user.home}");
    AssertionError failure =
        assertThrows(AssertionError.class, () -> MailboxServer.start("no-postgres", settings));
    assertEquals(
        List.of(
            "the server ended while starting", "mailbox: MAILBOX_DB_PASSWORD must not contain ${"),
        String.valueOf(failure.getMessage()).lines().toList());
  }
}
