package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder of little finds room whatever others hold. */
class FairShareTest {
  private static final int PROGRAMS = 300;
  private static final int STEPS = 400;

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

  /** Against a count by hand: the sum, each share, and who is refused. */
  @Test
  void sharesAgreeWithACountByHandInRandomPrograms() {
    for (int seed = 0; seed < PROGRAMS; seed++) {
      new Program(new Random(seed)).run();
    }
  }

  private static final class Program {
    private static final List<String> HOLDERS = List.of("a", "b", "c", "d");

    private final Random random;
    private final int percent;
    private final CapacityLimit bound;
    private final Shares<String> shares;
    private final Map<String, Long> has = new HashMap<>();

    Program(Random random) {
      this.random = random;
      this.percent = List.of(50, 75, 90, 100).get(random.nextInt(4));
      this.bound = new CapacityLimit("bound", "", 1 + random.nextInt(200), () -> 0);
      this.shares = new Shares<>(new FairShare(percent), bound);
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        String holder = HOLDERS.get(random.nextInt(HOLDERS.size()));
        if (random.nextInt(3) > 0) {
          take(holder, 1 + random.nextInt(20));
        } else {
          give(holder);
        }
        long sum = has.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(sum, bound.count());
        assertTrue(sum <= bound.capacity());
        HOLDERS.forEach(one -> assertEquals(has.getOrDefault(one, 0L), shares.of(one)));
        assertEquals(
            has.values().stream().mapToLong(Long::longValue).max().orElse(0),
            Shares.sum(shares.largest(1)));
      }
    }

    private void take(String holder, long more) {
      long had = has.getOrDefault(holder, 0L);
      double free = bound.capacity() - bound.count() - more;
      boolean fits = free >= 0;
      double ratio = percent == 100 ? Double.POSITIVE_INFINITY : percent / (100.0 - percent);
      // 0 times infinity is no number.
      double most = free == 0 && percent < 100 ? 0 : ratio * Math.max(free, 0.5);
      boolean expected = fits && (had == 0 || percent == 100 || had + more <= most + 1e-9);
      boolean taken = bound.tryAdd(more);
      if (taken && !shares.tryAdd(holder, more)) {
        bound.undo(more);
        taken = false;
      }
      assertEquals(expected, taken, holder + " has " + had + " and asks for " + more);
      if (taken) {
        has.put(holder, had + more);
      }
    }

    private void give(String holder) {
      Long had = has.remove(holder);
      if (had != null) {
        shares.remove(holder, had);
        bound.remove(had);
      }
    }
  }
}
