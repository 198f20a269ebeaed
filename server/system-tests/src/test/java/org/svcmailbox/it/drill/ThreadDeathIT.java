package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.EventStream;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.Debugger;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.Event;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * A debugger kills threads of a running server in the middle of their work, while clients send and
 * receive and jobs run. Each comes back, and nothing answered is lost, doubled or invented. Each
 * way to die is met once, and then, for {@code thread.death.seconds}, one of them at random, no
 * thread more often than it has time to be well.
 */
@Order(1)
@Tag("nightly")
class ThreadDeathIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration WELL = Duration.ofSeconds(62);
  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final int TOO_MANY = 5;
  private static final String HELD = "held";
  private static final Fields ASKING =
      Fields.of("topic", HELD)
          .with("max_messages", 20)
          .with("visibility_ms", 3_600_000)
          .with("wait_ms", 20_000);

  private final Duration lasting =
      Duration.ofSeconds(Integer.getInteger("thread.death.seconds", 0));
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final MailboxServer server =
      MailboxServer.start(
          "threads",
          Map.of(
              "MAILBOX_WORKERS",
              Integer.toString(Killing.WORKERS),
              "MAILBOX_JAVA_OPTS",
              "-XX:TieredStopAtLevel=1 " + Debugger.OPTION));
  private final MailboxClient control = new MailboxClient(server.target());
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final RecordedClient client =
      new RecordedClient(new MailboxClient(server.target()), recorder);
  private final DrillLoad load = new DrillLoad(client, random, this::label);
  private final List<JobBatch> batches = new ArrayList<>();
  private final Map<String, Long> lastDeath = new HashMap<>();
  private final Map<String, Integer> deaths = new HashMap<>();
  private Duration slowest = Duration.ZERO;

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    server.close();
  }

  @Test
  void everyThreadThatDiesComesBackAndNothingAnsweredIsLost(TestReporter reporter)
      throws Exception {
    load.start(control);
    try (Debugger debugger = Debugger.attach(server);
        EventStream stream = EventStream.open(server.target(), "?every_ms=1000")) {
      leasesOfWorkersThatDieReturn(debugger);
      for (Killing killing : Killing.ALL) {
        keepJobsUnderWay(reporter);
        kill(debugger, killing);
        load.work(BETWEEN);
      }
      long end = System.nanoTime() + lasting.toNanos();
      while (System.nanoTime() - end < 0) {
        keepJobsUnderWay(reporter);
        Killing next = Killing.ALL.get(random.nextInt(Killing.ALL.size()));
        if (isWell(next)) {
          kill(debugger, next);
        }
        load.work(BETWEEN);
      }
      assertTrue(stream.next() != null, "the stream goes on");
      List<TopicEnd> ends = load.drain(control);
      batches.get(batches.size() - 1).awaitEnd(reporter);
      reporter.publishEntry("thread deaths", summary(recorder.history()));
      assertHistory(ends);
      oneThatKeepsDyingIsOfNoUse(debugger);
    }
  }

  private void kill(Debugger debugger, Killing killing) {
    if (killing.isWorker()) {
      // Its leases are void from then on.
      recorder.loseLeases(() -> killAndAwait(debugger, killing));
    } else {
      killAndAwait(debugger, killing);
    }
  }

  private void killAndAwait(Debugger debugger, Killing killing) {
    double spawned = metric(killing.spawned());
    double aborted = metric(killing.aborted());
    long dead = debugger.kill(killing.thread(), killing.type(), killing.method());
    long before = System.nanoTime();
    Deadline.in(SOON).await(() -> metric(killing.spawned()) > spawned, () -> killing + label());
    Deadline.in(SOON).await(() -> isReady(), () -> "readiness after " + killing + label());
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    slowest = took.compareTo(slowest) > 0 ? took : slowest;
    assertEquals(aborted + 1, metric(killing.aborted()), killing + label());
    awaitSuccessor(debugger, killing, dead);
    lastDeath.put(killing.thread(), System.nanoTime());
    deaths.merge(killing.kind(), 1, Integer::sum);
  }

  private boolean isWell(Killing killing) {
    Long last = lastDeath.get(killing.thread());
    return last == null || System.nanoTime() - last > WELL.toNanos();
  }

  private boolean isReady() throws IOException {
    return control.with(null).get("/readyz").status() == 200
        && control.with(null).get("/healthz").status() == 200;
  }

  private void keepJobsUnderWay(TestReporter reporter) throws IOException {
    JobBatch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
    if (last == null || !last.outlastsAnotherKill()) {
      if (last != null) {
        last.awaitEnd(reporter);
      }
      batches.add(new JobBatch(control, batches.size(), TOO_MANY, this::label));
    }
  }

  /** Long before their visibility is over, and without an attempt spent. */
  private void leasesOfWorkersThatDieReturn(Debugger debugger) throws IOException {
    control.putTopic(HELD, Fields.of("ready_shards", 4)).expect(201);
    for (int i = 0; i < 20; i++) {
      control.send(HELD, "key-" + i, new byte[10]).expect(200);
    }
    List<String> held = ids(control.recvAll(ASKING, 20));
    for (int worker = 0; worker < Killing.WORKERS; worker++) {
      kill(debugger, Killing.worker(worker));
    }
    List<Message> back = control.recvAll(ASKING, 20);
    assertEquals(held, ids(back));
    assertTrue(back.stream().allMatch(message -> message.attempt() == 1), "an attempt is spent");
    control.ackBatch(back).expect(200);
  }

  private static List<String> ids(List<Message> messages) {
    return messages.stream().map(Message::msgId).sorted().toList();
  }

  private void assertHistory(List<TopicEnd> ends) throws IOException {
    load.assertNoViolation(recorder.history(), ends);
    for (JobBatch jobs : batches) {
      jobs.assertEveryLetterIsWhereItBelongs();
    }
    load.assertIntactLedgers(control);
  }

  /** Then {@code /healthz} is down, for an orchestrator to start the server again. */
  private void oneThatKeepsDyingIsOfNoUse(Debugger debugger) throws IOException {
    Killing killing =
        Killing.ALL.stream()
            .filter(one -> one.thread().equals(Killing.EVENTS))
            .findFirst()
            .orElseThrow();
    for (int i = 0; i < TOO_MANY; i++) {
      long dead = debugger.kill(killing.thread(), killing.type(), killing.method());
      awaitSuccessor(debugger, killing, dead);
    }
    JsonNode health = control.with(null).get("/healthz").expect(503).json();
    String said = health.path("checks").toString();
    assertTrue(said.contains("mailbox-events died"), said);
    assertEquals(200, control.with(null).get("/readyz").status());
  }

  private void awaitSuccessor(Debugger debugger, Killing killing, long dead) {
    Deadline.in(SOON)
        .await(() -> debugger.hasSuccessor(killing.thread(), dead), () -> killing + label());
  }

  private double metric(String name) {
    try {
      return Scrape.of(control.with(null).get("/metrics").expect(200).text()).value(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String summary(History history) {
    long received =
        history.events().stream()
            .filter(Event.Recv.class::isInstance)
            .mapToLong(event -> ((Event.Recv) event).handed().size())
            .sum();
    return "%s: deaths %s, back and ready after %d ms at most; %d SENDs accepted, %d calls, %d deliveries"
        .formatted(
            label(),
            deaths,
            slowest.toMillis(),
            client.accepted(),
            history.events().size(),
            received);
  }

  private String label() {
    return " kill.seed=" + seed;
  }
}
