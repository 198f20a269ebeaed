package org.svcmailbox.core.worker.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReorderDepthTest {
  private final ReorderDepth order = new ReorderDepth();

  @Test
  void inOrderIsNoReorder() {
    for (long seq = 1; seq <= 3L * ReorderDepth.WINDOW; seq++) {
      assertEquals(0, order.handedOut(seq));
    }
  }

  @Test
  void whatWasSeenBeforeIsNoReorder() {
    List.of(1L, 2L, 3L).forEach(order::handedOut);
    assertEquals(0, order.handedOut(1));
    assertEquals(0, order.handedOut(2));
  }

  @Test
  void whatComesAfterOthersThatAreBehindItIsLateByTheirNumber() {
    List.of(2L, 3L, 7L).forEach(order::handedOut);
    assertEquals(3, order.handedOut(1));
    assertEquals(1, order.handedOut(5));
    assertEquals(0, order.handedOut(8));
  }

  @Test
  void whatIsFurtherBehindThanIsRememberedCountsAsThatMany() {
    order.handedOut(1 + ReorderDepth.WINDOW);
    assertEquals(ReorderDepth.WINDOW, order.handedOut(1));
    assertEquals(1, order.handedOut(2));
  }

  /** The number that was seen, the highest, and one that has the first one's place and is new. */
  @ParameterizedTest
  @CsvSource({"1, 32770, 32769", "3, 98306, 65539"})
  void aNumberIsNotTakenForTheOneWhosePlaceItHas(long seen, long highest, long fresh) {
    order.handedOut(seen);
    order.handedOut(highest);
    assertEquals(1, order.handedOut(fresh));
  }

  @RepeatedTest(20)
  void itAgreesWithCounting() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    TreeSet<Long> seen = new TreeSet<>();
    long at = random.nextInt(100_000);
    List<Long> program = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      at += random.nextInt(3);
      program.add(Math.max(1, at - random.nextInt(40)));
    }
    for (long seq : program) {
      int naive = seen.contains(seq) ? 0 : seen.tailSet(seq, false).size();
      seen.add(seq);
      assertEquals(naive, order.handedOut(seq), "seed " + seed + ", " + seq);
    }
  }
}
