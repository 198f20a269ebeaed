package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder of little finds room whatever others hold. */
class FairShareTest {
  @ParameterizedTest
  @CsvSource({
    // percent, capacity, used with it, had, more, allowed
    "75, 100, 75, 74, 1, true",
    "75, 100, 76, 75, 1, false",
    "75, 100, 76, 0, 1, true",
    "75, 100, 93, 17, 1, true",
    "75, 100, 94, 18, 1, false",
    "75, 100, 100, 0, 25, true",
    "75, 100, 101, 0, 26, false",
    "75, 100, 100, 1, 1, false",
    "50, 100, 50, 49, 1, true",
    "50, 100, 51, 50, 1, false",
    "100, 5, 5, 4, 1, true",
    "100, 5, 6, 5, 1, false",
    "75, 1, 1, 0, 1, true",
    "75, 2000000000, 1500000000, 1499999999, 1, true",
    "75, 9223372036854775807, 1, 0, 1, true",
    "75, 9223372036854775807, 11, 10, 1, true",
  })
  void aHolderHasAtMostAMultipleOfWhatIsFreeAfterIt(
      int percent, long capacity, long used, long had, long more, boolean allowed) {
    assertEquals(allowed, new FairShare(percent).allows(capacity, used, had, more));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 50, 75, 90, 99, 100})
  void roomIsHowOftenOneMoreIsAllowed(int percent) {
    FairShare rule = new FairShare(percent);
    for (int capacity = 1; capacity <= 40; capacity++) {
      for (int used = 0; used <= capacity; used++) {
        for (int had = 0; had <= used; had++) {
          int times = 0;
          while (rule.allows(capacity, used + times + 1, had + times, 1)) {
            times++;
          }
          // The first one is allowed in any case; room then counts from it.
          long room = rule.room(capacity, used, had);
          assertEquals(times, room, percent + " of " + capacity + ", " + used + ", " + had);
        }
      }
    }
  }

  /** One greedy holder after another, each of which takes all that it gets. */
  @Test
  void everyGreedyHolderLeavesAQuarterOfWhatItFound() {
    FairShare rule = new FairShare(75);
    long capacity = 20_000;
    long free = capacity;
    for (int i = 0; i < 5; i++) {
      long taken = rule.room(capacity, capacity - free, 0);
      assertTrue(taken <= free * 3 / 4, taken + " of " + free);
      assertTrue(taken >= free * 3 / 4 - 1, taken + " of " + free);
      free -= taken;
    }
    assertTrue(free >= 19, free + " are left");
  }
}
