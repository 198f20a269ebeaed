package org.svcmailbox.test.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RandomHistoryTest {
  private static final int HISTORIES = Integer.getInteger("history.count", 300);
  private static final int STEPS = 300;
  private static final List<Corruption> CORRUPTIONS = List.of(Corruption.values());

  private final HistoryChecker checker = new HistoryChecker(Duration.ofMinutes(10), 0);

  @Test
  void noViolationIsFoundInACorrectHistory() {
    for (long seed = 0; seed < HISTORIES; seed++) {
      RandomHistory random = new RandomHistory(seed);
      History history = random.run(STEPS);
      assertEquals(List.of(), checker.check(history, random.ends()), "seed " + seed);
      assertEquals(List.of(), checker.check(history, random.countedEnds()), "seed " + seed);
    }
  }

  @Test
  void everyCorruptionIsFound() {
    Map<Corruption, Integer> applied = new EnumMap<>(Corruption.class);
    for (long seed = 0; seed < HISTORIES; seed++) {
      RandomHistory honest = new RandomHistory(seed);
      History history = honest.run(STEPS);
      Random random = new Random(seed);
      Corruption corruption = CORRUPTIONS.get((int) (seed % CORRUPTIONS.size()));
      String label = corruption + " seed " + seed;
      corruption
          .apply(history, random)
          .ifPresent(
              corrupted -> {
                applied.merge(corruption, 1, Integer::sum);
                List<Violation> found = checker.check(corrupted, honest.ends());
                assertTrue(
                    found.stream().anyMatch(one -> one.kind() == corruption.kind()),
                    () -> label + " found only " + found);
              });
    }
    // Else a corruption that never applies would pass unseen.
    assertEquals(CORRUPTIONS.size(), applied.size(), applied::toString);
  }

  @Test
  void randomHistoriesAreOfEveryKind() {
    RandomHistory random = new RandomHistory(7);
    History history = random.run(4_000);
    long dead = random.ends().stream().mapToLong(end -> end.dead().size()).sum();
    assertTrue(dead > 0, "some messages die");
    assertTrue(history.crashes().size() >= 10, "the server dies");
    for (CallOutcome outcome : CallOutcome.values()) {
      assertTrue(history.events().stream().anyMatch(event -> event.outcome() == outcome));
    }
  }
}
