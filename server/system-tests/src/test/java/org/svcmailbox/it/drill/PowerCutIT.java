package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.disk.LoopDisk;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Clients go on sending and receiving while the power of the disk with both stores is cut, {@code
 * power.cuts} times: all that was not synced is lost. Nothing that was answered may be lost,
 * doubled or invented, every key stays taken, and the ledgers are whole. {@code kill.seed} repeats
 * the clients' choices.
 */
@Order(1)
@Tag("nightly")
class PowerCutIT {
  private static final int DISK_MIB = 1_024;

  /** Cuts that must lose something of a journal that is not synced. */
  private static final int TRIES = 4;

  private static final int UNSYNCED = 100;
  private static final int REFUSED = 78;
  private static final Duration START = Duration.ofMinutes(2);

  private final int cuts = Integer.getInteger("power.cuts", 1);
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final HistoryRecorder recorder = new HistoryRecorder();
  private Duration slowest = Duration.ZERO;

  @BeforeEach
  void check() {
    assumeTrue(
        LoopDisk.isPossible() && LoopDisk.canBeCut(),
        "only root can mount a file system and cut its power, with perl or python3");
  }

  @Test
  void nothingAnsweredIsLostAndNothingIsDoubled(TestReporter reporter) throws Exception {
    MailboxServer server = MailboxServer.prepare("power", Map.of());
    try (LoopDisk disk = LoopDisk.mount(server.data(), DISK_MIB);
        server) {
      server.restart();
      RecordedClient client = new RecordedClient(new MailboxClient(server.target()), recorder);
      DrillLoad load = new DrillLoad(client, random, this::label);
      MailboxClient control = new MailboxClient(server.target());
      try {
        load.start(control);
        for (int i = 0; i < cuts; i++) {
          load.work(Duration.ofMillis(1_000 + random.nextInt(2_000)));
          cut(server, disk);
          if (random.nextInt(4) == 0) {
            cutWhileStarting(server, disk);
          }
          restart(server);
        }
        List<TopicEnd> ends = load.drain(control);
        // The database has all entries then; the end of the server waits for it for a second only.
        load.assertIntactLedgers(control);
        judge(server, control, load, ends, reporter);
      } finally {
        load.stop();
      }
    }
  }

  /** The process answers nothing between the cut and its death, as when its own power fails. */
  private void cut(MailboxServer server, LoopDisk disk) {
    recorder.crash(
        () -> {
          server.freeze();
          disk.cutPower();
          server.kill9();
        });
    disk.remount();
  }

  /** A start repairs both stores, which a cut may interrupt at any moment. */
  private void cutWhileStarting(MailboxServer server, LoopDisk disk) {
    server.launch();
    LockSupport.parkNanos(Duration.ofMillis(500 + random.nextInt(10_000)).toNanos());
    cut(server, disk);
  }

  private void restart(MailboxServer server) {
    long before = System.nanoTime();
    server.restart();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
  }

  private void judge(
      MailboxServer server,
      MailboxClient control,
      DrillLoad load,
      List<TopicEnd> ends,
      TestReporter reporter)
      throws Exception {
    History history = recorder.history();
    AnsweredSends answered = AnsweredSends.of(history);
    String figures =
        "%s: %d cuts, %d messages, %d calls, ready again after %d ms at most"
            .formatted(label(), cuts, answered.size(), history.events().size(), slowest.toMillis());
    reporter.publishEntry("power cuts", figures);
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");
    load.assertNoViolation(history, ends);
    answered.assertStillTaken(control, label());
    assertEquals(0, server.terminate(), "exit code");
    Ledgers.read(server.data()).assertHaveExactly(AnsweredSends.everyId(history), label());
  }

  /**
   * Otherwise the test above would prove nothing. The database has what the broker lost, so the
   * start refuses the pair.
   */
  @Test
  void theCutLosesWhatTheBrokerDoesNotSync() throws Exception {
    String unsynced = MailboxServer.FAST_START + " -Dbrokerconfig.journalSyncTransactional=false";
    MailboxServer server =
        MailboxServer.prepare("power-unsynced", Map.of("MAILBOX_JAVA_OPTS", unsynced));
    try (LoopDisk disk = LoopDisk.mount(server.data(), DISK_MIB);
        server) {
      launch(server);
      for (int i = 0; i < TRIES && server.isAlive(); i++) {
        send(server, "try-" + i + "-");
        cut(server, disk);
        launch(server);
      }
      assertEquals(REFUSED, server.awaitEnd(), "exit code");
      assertTrue(
          server.outputLines().stream()
              .anyMatch(line -> line.contains("the broker is older than the database")),
          "nothing was lost in " + TRIES + " cuts");
    }
  }

  /** Returns when it takes SENDs or has ended; readiness says that the broker does not sync. */
  private static void launch(MailboxServer server) {
    server.launch();
    Deadline.in(START).await(() -> !server.isAlive() || isTaken(server), () -> "a SEND");
  }

  private static boolean isTaken(MailboxServer server) {
    try {
      return Files.exists(server.operatorFile()) && send(server).status() == 200;
    } catch (IOException e) {
      // Not listening yet, or not any more.
      return false;
    }
  }

  private static MailboxAnswer send(MailboxServer server) throws IOException {
    return new MailboxClient(server.target()).send("unsynced", "first", new byte[100]);
  }

  private static void send(MailboxServer server, String prefix) throws IOException {
    MailboxClient client = new MailboxClient(server.target());
    for (int i = 0; i < UNSYNCED; i++) {
      client.send("unsynced", prefix + i, new byte[100]).expect(200);
    }
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
