package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.test.concurrent.Together;

class KeyIndexTest {
  private static final int KEYS = 2_000;

  /** By then no key has expired. */
  private static final long NEVER = Long.MIN_VALUE;

  /** A map from keys to pages, and nothing else: what the index must agree with. */
  private static final class Naive {
    private final Map<IdempotencyKey, KeyPage> pages = new HashMap<>();

    boolean take(IdempotencyKey key, KeyPage page, long now) {
      KeyPage holder = pages.get(key);
      boolean isFree = holder == null || (holder != page && holder.expiresAt() <= now);
      if (isFree) {
        pages.put(key, page);
      }
      return isFree;
    }

    /** Puts keys back that a page took over. */
    void giveBack(KeyPage page, Map<IdempotencyKey, KeyPage> holders, Set<KeyPage> removed) {
      holders.forEach(
          (key, holder) -> {
            if (!removed.contains(holder)) {
              pages.replace(key, page, holder);
            }
          });
    }

    int remove(List<KeyPage> removed) {
      int before = pages.size();
      pages.values().removeIf(removed::contains);
      return before - pages.size();
    }
  }

  @Test
  void itAgreesWithAMapWhateverHappens() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      KeyIndex index = new KeyIndex();
      Naive naive = new Naive();
      List<KeyPage> pages = new ArrayList<>();
      long now = 0;
      for (int step = 0; step < 3_000; step++) {
        now += random.nextInt(3);
        if (pages.isEmpty() || random.nextInt(4) > 0) {
          pages.add(takeSome(random, index, naive, now, step));
        } else if (random.nextBoolean()) {
          List<KeyPage> due = index.pollExpired(now, 1 + random.nextInt(50));
          for (KeyPage page : due) {
            assertTrue(page.expiresAt() < now);
          }
          assertEquals(naive.remove(due), index.remove(due));
        } else {
          List<KeyPage> some = List.of(pages.get(random.nextInt(pages.size())));
          assertEquals(naive.remove(some), index.remove(some));
        }
        assertEquals(naive.pages.size(), index.size(), "seed " + seed + ", step " + step);
      }
      for (int i = 0; i < KEYS; i++) {
        assertSame(naive.pages.get(key(i)), index.find(key(i)), "seed " + seed);
      }
    }
  }

  @Test
  void itAgreesWithAMapWhereKeysAreTakenOverAndGivenBack() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      KeyIndex index = new KeyIndex();
      Naive naive = new Naive();
      Set<KeyPage> removed = new HashSet<>();
      int givenBack = 0;
      for (int step = 0; step < 1_000; step++) {
        KeyPage page = takeOver(random, index, naive, step);
        if (random.nextInt(3) == 0) {
          Map<IdempotencyKey, KeyPage> holders = Map.copyOf(page.succession().predecessors());
          List<KeyPage> some = holders.values().stream().limit(1).toList();
          if (random.nextBoolean()) {
            removed.addAll(some);
            assertEquals(naive.remove(some), index.remove(some));
          }
          naive.giveBack(page, holders, removed);
          index.giveBack(page);
          removed.add(page);
          assertEquals(naive.remove(List.of(page)), index.remove(List.of(page)));
          givenBack += holders.size();
        } else {
          page.confirm();
        }
        assertEquals(naive.pages.size(), index.size(), "seed " + seed + ", step " + step);
      }
      for (int i = 0; i < KEYS; i++) {
        assertSame(naive.pages.get(key(i)), index.find(key(i)), "seed " + seed);
      }
      assertTrue(givenBack > 100, "given back: " + givenBack);
    }
  }

  /** A page that takes keys over from their holders, and others that are free. */
  private static KeyPage takeOver(Random random, KeyIndex index, Naive naive, int batchNo) {
    Map<IdempotencyKey, Reservation> released = new HashMap<>();
    List<IdempotencyKey> wanted = new ArrayList<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      IdempotencyKey key = key(random.nextInt(KEYS));
      wanted.add(key);
      KeyPage holder = naive.pages.get(key);
      if (holder != null) {
        released.put(key, SampleShard.reservation(holder.expiresAt()));
      }
    }
    StoredKeys keys = new StoredKeys(1_000 + batchNo, new byte[0]);
    KeyPage page = new KeyPage(WorkerId.of(0), batchNo, keys, new Succession(released));
    for (IdempotencyKey key : Set.copyOf(wanted)) {
      assertTrue(index.take(key, page, NEVER));
      naive.pages.put(key, page);
    }
    return page;
  }

  private static KeyPage takeSome(
      Random random, KeyIndex index, Naive naive, long now, int batchNo) {
    KeyPage page = new KeyPage(WorkerId.of(0), batchNo, now + random.nextInt(300));
    for (int i = random.nextInt(40); i >= 0; i--) {
      IdempotencyKey key = key(random.nextInt(KEYS));
      long expiredBy = random.nextBoolean() ? now : NEVER;
      assertEquals(naive.take(key, page, expiredBy), index.take(key, page, expiredBy));
    }
    index.applied(List.of(page));
    return page;
  }

  /**
   * Half of them differ in bits only that neither the stripe nor a table's place looks at first.
   */
  private static IdempotencyKey key(int number) {
    return number % 2 == 0
        ? new IdempotencyKey(0, number)
        : new IdempotencyKey((long) number << 40, (long) number << 48);
  }

  @Test
  void aMillionKeysComeAndGoWithinTheirRoom() {
    KeyTable table = new KeyTable();
    Random random = new Random(1);
    for (int round = 0; round < 1_000; round++) {
      KeyPage page = new KeyPage(WorkerId.of(0), round, 0);
      for (int i = 0; i < 1_000; i++) {
        table.put(new IdempotencyKey(random.nextLong(), random.nextLong()), page);
      }
      page.remove();
    }
    assertTrue(table.capacity() <= 8_192, "a place for " + table.capacity());
    assertTrue(table.pages() <= 8, "a list of " + table.pages());
  }

  /** The default of {@code dedup_capacity}, on 512 stripes, with keys coming and going. */
  @Test
  void aFullTableTakesLessThanSixtyBytesForAKey() {
    int live = 3_200_000 / 512;
    int together = 10;
    KeyTable table = new KeyTable();
    Random random = new Random(1);
    Deque<KeyPage> taken = new ArrayDeque<>();
    for (int batch = 0; batch < 10 * live / together; batch++) {
      KeyPage page = new KeyPage(WorkerId.of(0), batch, 0);
      for (int i = 0; i < together; i++) {
        table.put(new IdempotencyKey(random.nextLong(), random.nextLong()), page);
      }
      taken.add(page);
      if (taken.size() > live / together) {
        taken.remove().remove();
      }
      double bytes = 20.0 * table.capacity() / live;
      assertTrue(bytes < 60, () -> bytes + " bytes a key");
    }
  }

  @Test
  void oneKeyThatPassesFromPageToPageTakesTheRoomOfOne() {
    KeyTable table = new KeyTable();
    List<KeyPage> two =
        List.of(new KeyPage(WorkerId.of(0), 1, 0), new KeyPage(WorkerId.of(1), 1, 0));
    for (int i = 0; i < 1_000_000; i++) {
      table.put(key(1), two.get(i % 2));
    }
    assertSame(two.get(1), table.get(key(1)));
    assertTrue(table.capacity() <= 16, "a place for " + table.capacity());
    assertTrue(table.pages() <= 17, "a list of " + table.pages());
  }

  @Test
  void aRemovedPageHasNoKeysAndIsCountedOnce() {
    KeyIndex index = new KeyIndex();
    KeyPage page = new KeyPage(WorkerId.of(0), 1, 100);
    assertTrue(index.take(key(1), page, NEVER));
    assertEquals(1, index.remove(List.of(page)));
    assertEquals(0, index.remove(List.of(page)));
    assertNull(index.find(key(1)));
    assertEquals(0, index.size());
  }

  @Test
  void pagesOfOneMomentGoTogether() {
    KeyIndex index = new KeyIndex();
    List<KeyPage> pages = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      KeyPage page = new KeyPage(WorkerId.of(i), 1, i < 3 ? 100 : 101);
      index.take(key(i), page, NEVER);
      pages.add(page);
    }
    index.applied(pages);
    assertEquals(pages.subList(0, 3), index.pollExpired(200, 1));
    assertEquals(pages.subList(3, 6), index.pollExpired(200, 3));
    assertEquals(List.of(), index.pollExpired(200, 1));
  }

  @Test
  void ofManyThreadsOneGetsAKey() throws Exception {
    KeyIndex index = new KeyIndex();
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      KeyPage page = new KeyPage(WorkerId.of(thread), 1, 100);
      threads.add(
          () -> {
            int won = 0;
            for (int i = 0; i < 50_000; i++) {
              // A hard key is compared with all other hard ones: with few of them the race goes on.
              IdempotencyKey key = i < KEYS ? key(i) : new IdempotencyKey(0, i);
              won += index.take(key, page, NEVER) ? 1 : 0;
            }
            return won;
          });
    }
    int won = Together.run(threads).stream().mapToInt(Integer::intValue).sum();
    assertEquals(50_000, won);
    assertEquals(50_000, index.size());
  }
}
