package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.drill.WrittenEvent.Fate;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * An application goes on recording events, and two workers go on publishing and handling them,
 * while workers, service and database are killed, frozen and cut off, {@code outbox.kill.rounds}
 * times. Afterwards every committed event is handled, no event of another transaction was ever
 * seen, and poison is one dead letter each. {@code outbox.kill.seed} repeats the choices, though
 * not the moments at which they meet.
 */
@Tag("nightly")
class OutboxKillIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int MOST_PAUSE_MILLIS = 600;
  private static final int CALM_EVENTS = 100;
  private static final int CALM_ORDERS = 10;

  private final int rounds = Integer.getInteger("outbox.kill.rounds", 6);
  private final long seed = Long.getLong("outbox.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final long begun = System.nanoTime();
  private final OutboxStage stage = new OutboxStage();
  private final OutboxWriter writer =
      new OutboxWriter(stage.database.source(), stage.handler::events);
  private final List<OutboxFault> faults = new ArrayList<>();
  private final List<String> story = new ArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    writer.end();
    stage.close();
  }

  @Test
  void committedEventsAreHandledAndOthersAreNeverSeen(TestReporter reporter) throws Exception {
    stage.start();
    writer.start(random);
    for (int round = 0; round < rounds; round++) {
      awaitWork();
      OutboxFault fault = nextFault();
      tell(round + " " + fault);
      fault.strike(stage, random);
      restartWorkers();
    }
    stage.workers.forEach(worker -> worker.set(Duration.ZERO));
    writer.end();
    tell("the faults are over");
    Deadline deadline = Deadline.in(PATIENCE);
    deadline.await(this::isDone, () -> label() + "\n" + String.join("\n", violations()));
    tell("everything is handled");
    assertEquals(List.of(), violations(), this::label);
    assertEquals(List.of(), stage.handler.overlaps(), this::label);
    reporter.publishEntry("outbox kill rounds", summary());
    Files.writeString(stage.service.directory().resolve("figures.txt"), summary());

    assertEquals(0, stage.workers.get(1).stop(), "exit code");
    assertInOrder();
    // An event is seen before its message is settled.
    Deadline.in(PATIENCE).await(() -> stage.left() == 0, this::label);
    assertEquals(0, stage.workers.get(0).stop(), "exit code");
    assertEquals(0, stage.left(), this::label);
  }

  private void tell(String what) throws IOException {
    story.add("%.1f s: %s".formatted((System.nanoTime() - begun) / 1e9, what));
    Files.write(stage.service.directory().resolve("story.txt"), story);
  }

  /** Each kind once, in any order, and then again. */
  private OutboxFault nextFault() {
    if (faults.isEmpty()) {
      faults.addAll(List.of(OutboxFault.values()));
      Collections.shuffle(faults, random);
    }
    return faults.remove(0);
  }

  /** Returns when some more events were handled, and a little later. */
  private void awaitWork() {
    int enough = stage.handler.calls() + 10 + random.nextInt(20);
    Deadline.in(PATIENCE)
        .await(() -> stage.handler.calls() >= enough, () -> "progress; " + label());
    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(MOST_PAUSE_MILLIS)).toNanos());
  }

  private void restartWorkers() throws IOException {
    for (DrillWorker worker : stage.workers) {
      if (!worker.isAlive()) {
        tell(worker.name() + " starts again");
        stage.handler.starts(worker.name());
        worker.start();
        worker.awaitStart();
      }
    }
  }

  private boolean isDone() throws IOException {
    return stage.left() == 0 && violations().isEmpty();
  }

  private List<String> violations() {
    try {
      return OutboxCheck.violations(
          writer.written(),
          stage.handler.answers(),
          OutboxEnd.read(stage.database.source(), stage.client, OutboxStage.TOPIC));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(label(), e);
    }
  }

  /** With one worker and without faults, the events of an order are handled as they occurred. */
  private void assertInOrder() throws SQLException {
    Map<String, List<String>> expected = new TreeMap<>();
    for (int number = 0; number < CALM_EVENTS; number++) {
      String order = "calm-" + number % CALM_ORDERS;
      expected.computeIfAbsent(order, none -> new ArrayList<>()).add(writer.recordCalmly(order));
    }
    List<String> all = expected.values().stream().flatMap(List::stream).toList();
    Deadline.in(PATIENCE)
        .await(() -> stage.handler.processed().containsAll(all), () -> "calm; " + label());
    List<String> processed = stage.handler.processed();
    expected.forEach(
        (order, ids) ->
            assertEquals(
                ids, processed.stream().filter(ids::contains).toList(), () -> order + label()));
  }

  private String summary() {
    Collection<WrittenEvent> events = writer.written().values();
    Map<Fate, Long> fates = new EnumMap<>(Fate.class);
    for (Fate fate : Fate.values()) {
      fates.put(fate, events.stream().filter(event -> event.fate() == fate).count());
    }
    int handled = stage.handler.answers().size();
    return "%s: %d rounds, events %s, %d handled in %d calls"
        .formatted(label(), rounds, fates, handled, stage.handler.calls());
  }

  private String label() {
    return "outbox.kill.seed=" + seed + " " + story;
  }
}
