package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Clients send and receive while a primary of PostgreSQL dies and its standby is promoted, one that
 * followed closely or one that lagged. SENDs go on without a primary. The service finds the new one
 * by itself and brings it up to date; nothing answered is lost, doubled or invented. Topics stay as
 * they were made, resized and deleted.
 */
@Tag("nightly")
@SuppressWarnings("NullAway.Init")
class PostgresFailoverIT {
  private static final Duration WITHOUT_PRIMARY = Duration.ofSeconds(3);
  private static final Duration FOLLOWS = Duration.ofSeconds(10);
  private static final Duration BETWEEN_PROBES = Duration.ofMillis(20);
  private static final String PROBES = "probes";
  private static final Duration SOON = Duration.ofSeconds(60);

  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final PostgresServer primary = PostgresServer.start();
  private final HistoryRecorder recorder = new HistoryRecorder();
  private PostgresServer standby;
  private MailboxServer server;
  private MailboxClient control;
  private RecordedClient client;
  private DrillLoad load;

  @BeforeEach
  void start(@TempDir Path directory) {
    primary.halt();
    standby = primary.standby(directory.resolve("standby"));
    primary.resume();
    Map<String, String> settings = new HashMap<>(primary.settings());
    settings.put(
        "MAILBOX_DB_URL",
        "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?targetServerType=primary"
            .formatted(primary.port(), standby.port()));
    settings.put("MAILBOX_CAP_CACHE_TTL", "120s");
    server = MailboxServer.start("postgres-failover", settings);
    control = new MailboxClient(server.target());
    client = new RecordedClient(new MailboxClient(server.target()), recorder);
    load = new DrillLoad(client, new Random(seed), this::label);
  }

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    server.close();
    standby.close();
    primary.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void theServiceGoesOnWithTheStandby(int lagSeconds, TestReporter reporter) throws Exception {
    control.putTopic(PROBES, Fields.of("ready_shards", 1)).expect(201);
    LostTopics topics = new LostTopics(control, "lost");
    topics.prepare();
    load.start(control);
    load.work(Duration.ofSeconds(3));
    if (lagSeconds > 0) {
      standby.freeze();
    }
    topics.change();
    if (lagSeconds > 0) {
      load.work(Duration.ofSeconds(lagSeconds));
    }
    primary.kill();
    if (lagSeconds > 0) {
      standby.thaw();
    }
    int meanwhile = sendNew(WITHOUT_PRIMARY);
    standby.promote();
    long promoted = System.nanoTime();
    Deadline.in(FOLLOWS).await(this::isReady, () -> "readiness; " + label());
    long millis = Duration.ofNanos(System.nanoTime() - promoted).toMillis();
    load.work(Duration.ofSeconds(5));
    topics.assertKept(label());
    List<TopicEnd> ends = load.drain(control);
    Deadline.in(SOON)
        .await(() -> scrape().value("projection_lag_batches{}") == 0, () -> "the projection");
    String figures =
        "%s: lag %d s, %d SENDs without a primary, ready %d ms after the promotion, %d accepted"
            .formatted(label(), lagSeconds, meanwhile, millis, client.accepted());
    reporter.publishEntry("failover of the database", figures);
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");

    assertTrue(meanwhile > 50, () -> meanwhile + " SENDs without a primary; " + label());
    assertEquals(0, scrape().value("projection_broken{}"), label());
    load.assertNoViolation(recorder.history(), ends);
    AnsweredSends.of(recorder.history()).assertStillTaken(control, label());
    load.assertIntactLedgers(control);
    assertEquals(0, server.terminate(), "exit code");
  }

  /**
   * Sends at most fifty messages a second, so that the log has room. The load repeats old keys,
   * too, which only the database knows. Returns how many it sent.
   */
  private int sendNew(Duration atLeast) throws IOException {
    int sent = 0;
    for (long begin = System.nanoTime(); System.nanoTime() - begin < atLeast.toNanos(); sent++) {
      control.send(PROBES, "new-" + sent, new byte[1]).expect(200);
      LockSupport.parkNanos(BETWEEN_PROBES.toNanos());
    }
    return sent;
  }

  private boolean isReady() throws IOException {
    return control.with(null).get("/readyz").status() == 200;
  }

  private Scrape scrape() throws IOException {
    return Scrape.of(control.with(null).get("/metrics").expect(200).text());
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
