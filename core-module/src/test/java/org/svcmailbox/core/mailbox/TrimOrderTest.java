package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.mailbox.TrimOrder.Aged;

class TrimOrderTest {
  private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");

  private final TrimOrder order = new TrimOrder();

  private Aged add(int topic, int shard, long since, long entries) {
    Aged one = new Aged(new LedgerId(topic, shard), NOW.plusSeconds(since), entries);
    order.add(one);
    return one;
  }

  @Test
  void withoutLedgersThereIsNone() {
    assertNull(order.oldest());
    assertNull(order.ofLargest());
    assertEquals(Instant.MAX, order.oldestOf(1));
    assertEquals(0, order.excessOf(1));
  }

  @Test
  void theOldestIsOfAnyTopicAndTheLargestTopicLosesItsOldest() {
    Aged old = add(1, 0, 0, 10);
    Aged younger = add(2, 0, 20, 60);
    Aged first = add(2, 1, 10, 60);
    assertEquals(old, order.oldest());
    assertEquals(first, order.ofLargest());
    assertEquals(110, order.excessOf(2));
    order.remove(first);
    assertEquals(younger, order.ofLargest());
    assertEquals(younger.since(), order.oldestOf(2));
    order.remove(younger);
    assertEquals(Instant.MAX, order.oldestOf(2));
    assertEquals(old, order.ofLargest());
  }

  @Test
  void ofTopicsWithEquallyManyTheOldestLosesASixteenth() {
    Aged younger = add(1, 0, 10, 32);
    Aged older = add(2, 0, 0, 32);
    assertEquals(older, order.ofLargest());
    assertEquals(2, order.excessOf(2));
    order.remove(older);
    assertEquals(younger, order.ofLargest());
  }

  /** Until a number of entries is left, in steps of one; a model lowers all to one level. */
  @Test
  void whatIsCutIsThatOfTheLargest() {
    Random random = new Random(38);
    for (int round = 0; round < 200; round++) {
      TrimOrder cut = new TrimOrder();
      List<Long> sizes = new ArrayList<>();
      for (int topic = 0; topic < 1 + random.nextInt(6); topic++) {
        long size = 1L + random.nextInt(30);
        sizes.add(size);
        cut.add(new Aged(new LedgerId(topic, 0), NOW.plusSeconds(topic), size));
      }
      long all = sizes.stream().mapToLong(Long::longValue).sum();
      long left = random.nextInt((int) all) + 1L;
      for (long now = all; now > left; now--) {
        Aged next = requireNonNull(cut.ofLargest());
        cut.remove(next);
        cut.add(new Aged(next.ledger(), next.since(), next.entries() - 1));
      }
      lowered(sizes, all - left);
      List<Long> are = new ArrayList<>();
      for (Aged one = cut.ofLargest(); one != null; one = cut.ofLargest()) {
        are.add(one.entries());
        cut.remove(one);
      }
      Collections.sort(are);
      Collections.sort(sizes);
      assertEquals(sizes, are);
    }
  }

  private static void lowered(List<Long> sizes, long by) {
    for (long i = 0; i < by; i++) {
      long most = Collections.max(sizes);
      assertTrue(most > 0);
      sizes.set(sizes.indexOf(most), most - 1);
    }
  }
}
