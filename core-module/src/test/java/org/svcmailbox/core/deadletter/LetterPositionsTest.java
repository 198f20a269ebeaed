package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.concurrent.Together;

class LetterPositionsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T03:00:00.123Z");

  @Test
  void aPlaceSaysWhenItWasGiven() {
    LetterPosition position = new LetterPositions(new Random(1)).next(NOW.plusNanos(999_999));
    assertEquals(NOW, position.diedAt());
    assertTrue(position.compareTo(LetterPosition.before(NOW)) >= 0);
    assertTrue(position.compareTo(LetterPosition.before(NOW.plusMillis(1))) < 0);
  }

  @Test
  void eachIsBehindTheOneBeforeAlsoWhenTheClockIsSetBack() {
    LetterPositions positions = new LetterPositions(new Random(1));
    LetterPosition before = LetterPosition.FIRST;
    for (int i = 0; i < 10_000; i++) {
      LetterPosition next =
          positions.next(i < 5_000 ? NOW.plusMillis(i / 10) : NOW.minusSeconds(60));
      assertTrue(next.compareTo(before) > 0, "place " + i);
      before = next;
    }
  }

  @Test
  void twoProcessesHardlyEverGiveTheSame() {
    long distinct =
        LongStream.range(0, 1_000)
            .map(seed -> new LetterPositions(new Random(seed)).next(NOW).bits())
            .distinct()
            .count();
    assertTrue(distinct > 990, "distinct places: " + distinct);
  }

  @Test
  void whatAnEarlierProcessGaveStaysInFront() {
    LetterPosition given = new LetterPositions(new Random(1)).next(NOW.plusSeconds(3600));
    LetterPositions positions = new LetterPositions(new Random(2));
    positions.continueAfter(given);
    assertTrue(positions.next(NOW).compareTo(given) > 0);
    positions.continueAfter(LetterPosition.FIRST);
    assertTrue(positions.next(NOW).compareTo(given) > 0);
  }

  @Test
  void aPlaceIsSettledOnceEveryTransactionInFrontOfItIsOver() {
    LetterPositions positions = new LetterPositions(new Random(1));
    LetterPosition first = positions.open(NOW);
    LetterPosition second = positions.open(NOW);
    LetterPosition end = positions.next(NOW);
    LetterPosition later = positions.open(NOW);
    assertFalse(positions.isResolved(end));
    positions.close(first);
    assertFalse(positions.isResolved(end));
    positions.close(second);
    assertTrue(positions.isResolved(end));
    assertTrue(positions.isResolved(first));
    assertFalse(positions.isResolved(positions.next(NOW)));
    positions.close(later);
    assertTrue(positions.isResolved(LetterPosition.LAST));
  }

  @Test
  void noTwoThreadsGetTheSame() throws Exception {
    LetterPositions positions = new LetterPositions(new Random(1));
    Callable<List<LetterPosition>> some =
        () -> Stream.generate(() -> positions.next(NOW)).limit(10_000).toList();
    List<List<LetterPosition>> all = Together.run(List.of(some, some, some, some));
    assertEquals(40_000, all.stream().flatMap(List::stream).distinct().count());
  }

  @Test
  void everyMomentThatCanBeAskedForHasAPlace() {
    assertEquals(LetterPosition.FIRST, LetterPosition.before(Instant.MIN));
    assertEquals(LetterPosition.FIRST, LetterPosition.before(Instant.EPOCH.minusSeconds(1)));
    assertEquals(LetterPosition.LAST, LetterPosition.before(Instant.MAX));
    Instant last = Instant.ofEpochMilli(Long.MAX_VALUE >>> LetterPosition.SHIFT);
    assertEquals(last, LetterPosition.before(last).diedAt());
    assertThrows(IllegalArgumentException.class, () -> new LetterPosition(-1));
  }
}
