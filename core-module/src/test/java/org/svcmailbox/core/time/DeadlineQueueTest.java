package org.svcmailbox.core.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Deadlines in order, and how often stale ones are looked for. */
class DeadlineQueueTest {
  private static final int MANY = 10_000;

  private final DeadlineQueue<Integer> queue = new DeadlineQueue<>();

  @Test
  void elementsComeAtTheirDeadlineAlsoWhenTheTickerWraps() {
    queue.add(Long.MIN_VALUE + 5, 2);
    queue.add(Long.MAX_VALUE, 1);
    assertNull(queue.pollDue(Long.MAX_VALUE - 1));
    assertEquals(1, queue.pollDue(Long.MAX_VALUE));
    assertNull(queue.pollDue(Long.MIN_VALUE));
    assertEquals(2, queue.pollDue(Long.MIN_VALUE + 5));
  }

  @Test
  void liveElementsAreNotTestedForEachOneAdded() {
    int[] tests = new int[1];
    for (int i = 0; i < MANY; i++) {
      queue.compact(
          element -> {
            tests[0]++;
            return false;
          });
      queue.add(i, i);
    }
    assertTrue(tests[0] <= 2 * MANY, tests[0] + " tests");
  }

  @Test
  void staleElementsGoBeforeTheyAreMoreThanTheLiveOnes() {
    Set<Integer> stale = new HashSet<>();
    for (int i = 0; i < MANY; i++) {
      queue.compact(stale::contains);
      queue.add(MANY, i);
      stale.add(i);
      assertTrue(queue.size() <= 65, queue.size() + " elements");
    }
  }
}
