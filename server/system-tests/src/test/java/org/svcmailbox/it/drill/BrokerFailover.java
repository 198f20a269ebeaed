package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.BrokerMember;
import org.svcmailbox.it.server.BrokerPair;
import org.svcmailbox.it.server.ConsoleNoise;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.History;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Clients send and receive while the broker that serves, one of a pair, is killed, stopped, paused
 * and cut off, {@code broker.failover.rounds} times for each of the {@code broker.failover.faults}.
 * Nothing answered is lost, no message comes after its ACK, order holds, every key stays taken, and
 * the ledgers have one entry for each message. The service answers again in less than five seconds
 * after a kill, and after the end of a broker that was stopped.
 */
abstract class BrokerFailover {
  /** The aim is 5 s, for a machine that runs nothing else. */
  private static final int TAKEOVER_MS = Integer.getInteger("broker.takeover.ms", 40_000);

  /** Longer than either end waits for the other. */
  private static final Duration LASTS = Duration.ofSeconds(6);

  /** The consumers are slower, and a broker that takes over reads what is left. */
  private static final long BACKLOG = 2_000;

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration START = Duration.ofMinutes(5);
  private static final String WAITS = "The start waits for the broker";

  /**
   * Warnings and errors of one outage: lost, unreachable for several reasons, parts that are down.
   */
  private static final int MOST_TROUBLES = 10;

  private static final String PROBES = "probes";

  private enum Fault {
    KILL,
    STOP,
    PAUSE,
    PAUSE_AND_KILL,
    CUT_OFF
  }

  private final int rounds = Integer.getInteger("broker.failover.rounds", 1);
  private final List<Fault> faults =
      Stream.of(System.getProperty("broker.failover.faults", "KILL").split(",", -1))
          .map(Fault::valueOf)
          .toList();
  private final long seed = Long.getLong("kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final BrokerPair pair;
  private final MailboxServer server;
  private final MailboxClient control;
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final DrillLoad load;
  private final Map<Fault, List<Long>> millis = new EnumMap<>(Fault.class);
  private final Set<String> probes = new HashSet<>();

  BrokerFailover(String name, BrokerPair pair) {
    this.pair = pair;
    server = MailboxServer.prepare(name, pair.settings());
    startBeforeThePair();
    control = new MailboxClient(server.target());
    RecordedClient client = new RecordedClient(new MailboxClient(server.target()), recorder);
    load = new DrillLoad(client, random, this::label);
  }

  /** The start waits for the broker, and says so once. */
  private void startBeforeThePair() {
    server.launch();
    Deadline.in(START).await(() -> count(WAITS) > 0, () -> String.join("\n", server.outputLines()));
    LockSupport.parkNanos(LASTS.toNanos());
    pair.start();
    server.awaitReady();
    assertEquals(1, count(WAITS), () -> String.join("\n", server.outputLines()));
    assertFewLines(server.outputLines());
  }

  private long count(String text) {
    return server.outputLines().stream().filter(line -> line.contains(text)).count();
  }

  /** An outage has lines at its beginning and its end, however long it lasts. */
  private static void assertFewLines(List<String> console) {
    ConsoleNoise.assertNone(console);
    List<String> troubles = ConsoleNoise.troubles(console);
    assertTrue(troubles.size() <= MOST_TROUBLES, () -> String.join("\n", troubles));
  }

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    server.close();
    pair.close();
  }

  @Test
  void nothingIsLostDoubledOrInventedWhenTheBrokerFails(TestReporter reporter) throws Exception {
    control.putTopic(PROBES, Fields.of("ready_shards", 1)).expect(201);
    load.start(control);
    for (int round = 0; round < rounds; round++) {
      List<Fault> shuffled = new ArrayList<>(faults);
      Collections.shuffle(shuffled, random);
      for (Fault fault : shuffled) {
        load.work(Duration.ofMillis(1_500 + random.nextInt(1_000)));
        load.reduceTo(BACKLOG, control);
        suffer(fault);
      }
    }
    load.work(Duration.ofSeconds(1));
    List<TopicEnd> ends = load.drain(control);
    awaitStandby(true);
    pair.waiting().kill();
    awaitStandby(false);
    History history = recorder.history();
    String figures = summary(history);
    reporter.publishEntry("failovers of the broker", figures);
    Files.writeString(server.directory().resolve("figures.txt"), figures + "\n");

    load.assertNoViolation(history, ends);
    AnsweredSends.of(history).assertStillTaken(control, label());
    load.assertIntactLedgers(control);
    assertEquals(0, server.terminate(), "exit code");
    Set<String> known = AnsweredSends.everyId(history);
    known.addAll(probes);
    Ledgers.read(server.data()).assertHaveExactly(known, label());
    assertSoonServedAgain();
  }

  private void awaitStandby(boolean waits) {
    Deadline.in(SOON)
        .await(() -> standby().equals(Boolean.toString(waits)), () -> "standby is not " + waits);
  }

  private String standby() throws IOException {
    return control.get("/v1/state").expect(200).json().path("broker").path("standby").asText();
  }

  /** After a kill and a stop; other faults leave the broker or its lock where it is for a while. */
  private void assertSoonServedAgain() {
    Stream.of(Fault.KILL, Fault.STOP)
        .flatMap(fault -> millis.getOrDefault(fault, List.of()).stream())
        .forEach(took -> assertTrue(took < TAKEOVER_MS, () -> millis + "; " + label()));
  }

  private void suffer(Fault fault) {
    int logged = server.outputLines().size();
    BrokerMember serving = pair.serving();
    recorder.loseLeases(
        () -> {
          long before = begin(fault, serving);
          awaitAnswer(fault + "-" + probes.size());
          long took = Duration.ofNanos(System.nanoTime() - before).toMillis();
          millis.computeIfAbsent(fault, key -> new ArrayList<>()).add(took);
        });
    List<String> console = server.outputLines();
    assertFewLines(console.subList(logged, console.size()));
    if (fault != Fault.PAUSE && fault != Fault.CUT_OFF) {
      serving.start();
    }
  }

  /** Returns the moment from which somebody can serve. */
  private long begin(Fault fault, BrokerMember serving) {
    long now = System.nanoTime();
    switch (fault) {
      case KILL -> serving.kill();
      case STOP -> {
        serving.tellToEnd();
        // Until then it may still answer, but this was not the other's answer.
        serving.awaitEnd();
      }
      case PAUSE -> {
        pause(serving);
        now = System.nanoTime();
        serving.thaw();
      }
      case PAUSE_AND_KILL -> {
        pause(serving);
        now = System.nanoTime();
        serving.kill();
      }
      case CUT_OFF -> {
        serving.cut();
        LockSupport.parkNanos(LASTS.toNanos());
        now = System.nanoTime();
        serving.mend();
      }
    }
    return now;
  }

  /** A paused process keeps its lock on the store, so the other must not serve beside it. */
  private void pause(BrokerMember serving) {
    BrokerMember waiting = pair.waiting();
    serving.freeze();
    LockSupport.parkNanos(LASTS.toNanos());
    assertFalse(waiting.serves(), () -> "two brokers on one store; " + label());
  }

  /** Sends one message until it is accepted, as clients do. */
  private void awaitAnswer(String key) {
    Deadline.in(SOON).await(() -> isAccepted(key), () -> "an answer; " + label());
  }

  private boolean isAccepted(String key) throws IOException {
    MailboxAnswer answer = control.send(PROBES, key, new byte[1]);
    if (answer.status() != 200) {
      assertEquals(503, answer.status(), answer::text);
      return false;
    }
    return probes.add(answer.msgId());
  }

  private String summary(History history) {
    return "%s: %d rounds, ms until an answer %s, %d messages, %d calls"
        .formatted(
            label(),
            rounds,
            millis,
            AnsweredSends.everyId(history).size(),
            history.events().size());
  }

  private String label() {
    return "kill.seed=" + seed;
  }
}
