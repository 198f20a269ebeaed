package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.history.Event;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Clients send and receive, some through the client library, and redrive jobs run, while the server
 * is killed with SIGKILL and started again, {@code kill.rounds} times. Every third time it is told
 * to stop instead, and leases outlive that. Afterwards nothing that was answered may be lost,
 * doubled or invented, and every letter is where it belongs. One batch of jobs is made for {@code
 * job.kill.rounds} of the kills; when it is nearly done the next begins. {@code kill.seed} repeats
 * the clients' choices, though not the moments at which they meet.
 */
@Order(1)
@Tag("liberty")
class KillRoundsIT {
  private final int rounds = Integer.getInteger("kill.rounds", 5);
  private final int jobRounds = Integer.getInteger("job.kill.rounds", 5);
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final long before = System.nanoTime();
  private final MailboxServer server = MailboxServer.start("kill", Map.of());
  private final Duration start = Duration.ofNanos(System.nanoTime() - before);
  private final MailboxClient control = new MailboxClient(server.target());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final RecordedClient client =
      new RecordedClient(new MailboxClient(server.target()), recorder);
  private final DrillLoad load = new DrillLoad(client, random, this::label);
  private final List<LibraryLoad> libraries =
      List.of(
          LibraryLoad.polling(server, recorder, new Random(random.nextLong())),
          LibraryLoad.streaming(server, recorder, new Random(random.nextLong())));
  private final List<JobBatch> batches = new ArrayList<>();
  private double reordered;
  private double kept;

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    libraries.forEach(LibraryLoad::close);
    server.close();
  }

  @Test
  void nothingIsLostDoubledOrInventedAndEveryLetterIsWhereItBelongs(TestReporter reporter)
      throws Exception {
    load.start(control);
    for (LibraryLoad library : libraries) {
      library.start(control);
    }
    for (int round = 0; round < rounds; round++) {
      load.work(Duration.ofMillis(2_000 + random.nextInt(1_000)));
      // After the work, whose duration is not known beforehand.
      if (batches.isEmpty() || !lastBatch().outlastsAnotherKill()) {
        // The server has room for the jobs of one batch only.
        awaitJobs(reporter);
        int kills = Math.min(jobRounds, rounds - round);
        batches.add(new JobBatch(control, batches.size(), kills, this::label));
      }
      lastBatch().assertRunning();
      assertInOrder();
      if (round % 3 == 1) {
        // Leases outlive it, so it is no crash in the history.
        assertEquals(0, server.terminate(), "exit code");
      } else {
        recorder.crash(server::kill9);
      }
      if (random.nextInt(3) == 0) {
        killWhileStarting();
      }
      server.restart();
      kept += scrape().value("handover_leases_total{result=\"taken\"}");
    }
    List<TopicEnd> ends = new ArrayList<>(load.drain(control));
    for (LibraryLoad library : libraries) {
      ends.add(library.drain());
    }
    assertInOrder();
    History history = recorder.history();
    reporter.publishEntry("kill rounds", summary(history, ends));
    awaitJobs(reporter);

    for (LibraryLoad library : libraries) {
      assertEquals(List.of(), library.findings(), label());
      assertTrue(library.unknown() > 0, "some sends end with UNKNOWN: " + library);
    }
    assertTrue(rounds < 10 || kept > 0, "some planned restarts keep leases");
    assertTrue(ends.stream().anyMatch(topic -> topic.deadUnnamed() > 0), "some messages die");
    load.assertNoViolation(history, ends);
    for (JobBatch jobs : batches) {
      jobs.assertEveryLetterIsWhereItBelongs();
    }
    AnsweredSends answered = AnsweredSends.of(history);
    answered.assertStillTaken(control, label());
    // The database has all entries then; the end of the server waits for it for a second only.
    load.assertIntactLedgers(control);
    assertEquals(0, server.terminate(), "exit code");
    Set<String> known = AnsweredSends.everyId(history);
    batches.forEach(jobs -> known.addAll(jobs.msgIds()));
    Ledgers.read(server.data()).assertHaveExactly(known, label());
  }

  /** Waits until the jobs that were begun last are over. */
  private void awaitJobs(TestReporter reporter) {
    if (!batches.isEmpty()) {
      lastBatch().awaitEnd(reporter);
    }
  }

  /** The gauge begins at 0 with each start, so each life of the server is judged at its end. */
  private void assertInOrder() throws IOException {
    Map<String, Double> depths = new TreeMap<>(scrape().values());
    depths.keySet().removeIf(metric -> !metric.startsWith("reorder_depth_max{"));
    assertFalse(depths.isEmpty(), "no reorder_depth_max; " + label());
    depths.forEach(
        (shard, depth) -> {
          assertTrue(depth <= DrillLoad.MOST_REORDERED, () -> shard + " " + depth + "; " + label());
          reordered = Math.max(reordered, depth);
        });
  }

  private Scrape scrape() throws IOException {
    return Scrape.of(control.get("/metrics").expect(200).text());
  }

  private JobBatch lastBatch() {
    return batches.get(batches.size() - 1);
  }

  /** A kill may also interrupt the repairs of a start, at any moment. */
  private void killWhileStarting() {
    server.launch();
    LockSupport.parkNanos((long) (random.nextDouble() * start.toNanos()));
    recorder.crash(server::kill9);
  }

  private String summary(History history, List<TopicEnd> ends) {
    long received =
        history.events().stream()
            .filter(Event.Recv.class::isInstance)
            .mapToLong(event -> ((Event.Recv) event).handed().size())
            .sum();
    return String.format(
        "%s: %d rounds, %.0f leases kept, %d messages, %d calls, %d deliveries, dead letters %s,"
            + " reordered by %.0f, %s",
        label(),
        rounds,
        kept,
        AnsweredSends.everyId(history).size(),
        history.events().size(),
        received,
        ends.stream().map(topic -> topic.topic() + "=" + topic.deadUnnamed()).toList(),
        reordered,
        libraries);
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
