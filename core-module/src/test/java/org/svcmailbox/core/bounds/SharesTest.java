package org.svcmailbox.core.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.settings.FairShare;

/** Shares agree with a count by hand. */
class SharesTest {
  private static final int PROGRAMS = 300;
  private static final int STEPS = 400;

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
