package org.svcmailbox.core.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.delivery.InMemoryBroker.CommitFault;
import org.svcmailbox.core.problem.UnavailableException;

/** Conclusions of a session from the entries that have arrived. */
class BatchLogTest {
  private final InMemoryBroker broker = new InMemoryBroker(InstantSource.system());

  @Test
  void aNewLogIsWholeWithAllOfItsSeed() {
    BatchLog log = new BatchLog();
    LogEntry.seed(SampleBatch.id(7))
        .forEach(
            entry -> {
              assertFalse(log.isWhole());
              assertThrows(IllegalStateException.class, log::lastBatch);
              log.add(entry);
            });
    assertEquals(SampleBatch.id(7), log.lastBatch());
  }

  @Test
  void anEntryNamesItselfAndWhatTheLogHolds() {
    assertThrows(IllegalArgumentException.class, () -> new LogEntry(1, SampleBatch.id(0), 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new LogEntry(1, new BatchId(-1, 0), 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new LogEntry(1, SampleBatch.id(0), 2, 2));
    assertThrows(IllegalArgumentException.class, () -> new LogEntry(3, SampleBatch.id(0), 1, 2));
    assertEquals(
        new LogEntry(1, SampleBatch.id(0), 1, 1), new LogEntry(1, SampleBatch.id(0), 1, 1));
  }

  /** As an earlier or later version may leave it, with another window. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 8, 9, 20})
  void aLogOfAnyLengthComesToTheWindow(int length) {
    BatchLog log = new BatchLog();
    LongStream.rangeClosed(11, 10 + length)
        .forEach(number -> log.add(new LogEntry(number, SampleBatch.id(5), 11, 10 + length)));
    assertTrue(log.isWhole());

    BatchLog.Change change = log.append(SampleBatch.id(6));

    LogEntry newest = change.added().get(change.added().size() - 1);
    assertEquals(LogEntry.WINDOW, newest.to() - newest.from() + 1);
    assertEquals(newest.to(), newest.number());
    assertEquals(11, change.ended().get(0).number());
    assertEquals(newest.from() - 11, change.ended().size());
    assertEquals(11 + length, change.added().get(0).number());
    assertEquals(newest.to() - 10 - length, change.added().size());
    assertTrue(change.added().stream().allMatch(entry -> entry.batch().equals(SampleBatch.id(6))));
  }

  @Test
  void nothingIsAppendedWithoutTheOldestEntry() {
    BatchLog log = new BatchLog();
    assertFalse(log.hasOldest());
    assertThrows(IllegalStateException.class, () -> log.append(SampleBatch.id(1)));
    LogEntry.seed(BatchId.NONE).forEach(log::add);
    List<LogEntry> added = new ArrayList<>();
    for (int batch = 1; batch <= LogEntry.WINDOW; batch++) {
      added.addAll(log.append(SampleBatch.id(batch)).added());
    }
    assertFalse(log.hasOldest(), "all that has arrived is acknowledged");
    assertThrows(IllegalStateException.class, () -> log.append(SampleBatch.id(9)));
    log.add(added.get(0));
    assertTrue(log.hasOldest());
  }

  @Test
  void theWaitHasOneBoundHoweverSlowlyEntriesArrive() {
    Duration each = Duration.ofSeconds(3);
    TestTime time = new TestTime();
    Iterator<LogEntry> late = LogEntry.seed(BatchId.NONE).iterator();
    List<Duration> waits = new ArrayList<>();

    new BatchLog()
        .receive(
            atMost -> {
              waits.add(atMost);
              time.advance(atMost.compareTo(each) < 0 ? atMost : each);
              return atMost.compareTo(each) < 0 ? List.of() : List.of(late.next());
            },
            time,
            Duration.ofSeconds(10));

    assertEquals(List.of(10, 7, 4, 1).stream().map(Duration::ofSeconds).toList(), waits);
  }

  @Test
  void nothingIsWaitedForOnceTheOldestEntryIsHere() {
    BatchLog log = new BatchLog();
    Iterator<List<LogEntry>> batches =
        List.of(LogEntry.seed(BatchId.NONE), List.<LogEntry>of()).iterator();
    List<Duration> waits = new ArrayList<>();
    log.receive(
        atMost -> {
          waits.add(atMost);
          return batches.next();
        },
        () -> 0,
        Duration.ofSeconds(10));
    assertEquals(List.of(Duration.ofSeconds(10), Duration.ZERO), waits);
    assertTrue(log.hasOldest());
  }

  /** Each session is lost at a commit whose outcome is open, and ends it later either way. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noSessionConcludesAnythingWhileAnOutcomeIsOpen(long seed) {
    Random random = new Random(seed);
    long last = 0;
    for (int round = 0; round < 300; round++) {
      boolean takesEffect = random.nextBoolean();
      long staged;
      try (BrokerSession session = broker.open(0)) {
        SampleLog log = SampleLog.of(session);
        assertEquals(last, log.lastBatch());
        for (int i = random.nextInt(12); i > 0; i--) {
          log.append(++last);
          session.commit();
        }
        staged = last + 1;
        log.append(staged);
        broker.failNextCommit(CommitFault.LATE);
        assertThrows(UnavailableException.class, session::commit);
      }
      try (BrokerSession next = broker.open(0)) {
        SampleLog log = SampleLog.of(next);
        assertFalse(log.isWhole(Duration.ZERO), "in round " + round);
        broker.endLateCommit(takesEffect);
        last = takesEffect ? staged : last;
        assertEquals(last, log.lastBatch());
      }
    }
  }
}
