package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;
import org.svcmailbox.test.process.PostgresServer;

/**
 * Clients send and receive for {@code database.soak.seconds} while PostgreSQL stops, is killed,
 * hangs and falls back to an earlier state, for some outages longer than the logs have room. The
 * database catches up each time. Nothing answered is lost, doubled or invented, every key stays
 * taken, and the ledgers are whole.
 */
@Tag("nightly")
class DatabaseSoakIT {
  /**
   * Shorter than an outage, so that a hung database costs connections in the middle of their work.
   */
  private static final int DRIVER_SECONDS = 2;

  private static final int LONGEST_OUTAGE_MS = 12_000;

  /** So few that a fast machine fills the logs in a long outage. */
  private static final int WINDOW = 2_048;

  /** Far less than the window holds. */
  private static final Duration LOST_BY_FALLING_BACK = Duration.ofMillis(500);

  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofSeconds(60);

  private enum Outage {
    HALT,
    KILL,
    HANG,
    FALL_BACK
  }

  private final Duration length =
      Duration.ofSeconds(Integer.getInteger("database.soak.seconds", 60));
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final PostgresServer database = PostgresServer.start();
  private final MailboxServer server = MailboxServer.start("database-soak", settings(database));
  private final MailboxClient control = new MailboxClient(server.target());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final RecordedClient client =
      new RecordedClient(new MailboxClient(server.target()), recorder);
  private final DrillLoad load = new DrillLoad(client, random, this::label);
  private final Map<Outage, Integer> outages = new EnumMap<>(Outage.class);
  private LostTopics lost = new LostTopics(control, "none");
  private Duration slowest = Duration.ZERO;

  private static Map<String, String> settings(PostgresServer database) {
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.merge("MAILBOX_DB_URL", "?socketTimeout=" + DRIVER_SECONDS, String::concat);
    settings.put("MAILBOX_PROJECTION_ENTRIES", Integer.toString(WINDOW));
    // The capability must not have to be looked up while nobody can.
    settings.put("MAILBOX_CAP_CACHE_TTL", "120s");
    return settings;
  }

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    server.close();
    database.close();
  }

  @Test
  void theDatabaseCatchesUpAndNothingAnsweredIsLost(@TempDir Path directory, TestReporter reporter)
      throws Exception {
    load.start(control);
    long end = System.nanoTime() + length.toNanos();
    for (int i = 0; System.nanoTime() - end < 0 || outages.size() < Outage.values().length; i++) {
      load.work(BETWEEN);
      Outage outage = Outage.values()[i % Outage.values().length];
      suffer(outage, directory.resolve("copy-" + i));
      outages.merge(outage, 1, Integer::sum);
      awaitCaughtUp(outage);
      if (outage == Outage.FALL_BACK) {
        lost.assertKept(label());
      }
    }
    List<TopicEnd> ends = load.drain(control);
    awaitCaughtUp(Outage.HALT);
    Scrape last = scrape();
    reporter.publishEntry("outages of the database", summary(last));

    assertTrue(last.value("projection_failures_total{}") > 0, label());
    assertEquals(0, last.value("projection_broken{}"), label());
    load.assertNoViolation(recorder.history(), ends);
    AnsweredSends.of(recorder.history()).assertStillTaken(control, label());
    load.assertIntactLedgers(control);
  }

  private void suffer(Outage outage, Path copy) throws IOException {
    Duration lasts = Duration.ofMillis(500 + random.nextInt(LONGEST_OUTAGE_MS));
    switch (outage) {
      case HALT -> {
        database.halt();
        pause(lasts);
        database.resume();
      }
      case KILL -> {
        database.kill();
        pause(lasts);
        database.resume();
      }
      case HANG -> {
        database.freeze();
        pause(lasts);
        database.thaw();
      }
      case FALL_BACK -> {
        lost = new LostTopics(control, copy.getFileName().toString());
        lost.prepare();
        database.halt();
        database.copyTo(copy);
        database.resume();
        awaitReady(outage);
        lost.change();
        pause(LOST_BY_FALLING_BACK);
        database.halt();
        database.fallBackTo(copy);
        database.resume();
      }
    }
  }

  private static void pause(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }

  /** Under load there is always a batch that the database lacks, but never an old one. */
  private void awaitCaughtUp(Outage outage) {
    long before = System.nanoTime();
    awaitReady(outage);
    Deadline.in(SOON)
        .await(
            () -> scrape().value("projection_lag_seconds{}") < 1,
            () -> "the database follows after " + outage + "; " + label());
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
  }

  private void awaitReady(Outage outage) {
    Deadline.in(SOON).await(this::isReady, () -> "readiness after " + outage + "; " + label());
  }

  private boolean isReady() throws IOException {
    return control.with(null).get("/readyz").status() == 200;
  }

  private Scrape scrape() throws IOException {
    return Scrape.of(control.with(null).get("/metrics").expect(200).text());
  }

  private String summary(Scrape last) {
    return "%s: %s, caught up in %d ms at most; %d SENDs accepted, %d calls; %.0f refused with a full log"
        .formatted(
            label(),
            outages,
            slowest.toMillis(),
            client.accepted(),
            recorder.history().events().size(),
            last.value("rejected_total{reason=\"log_full\"}"));
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
