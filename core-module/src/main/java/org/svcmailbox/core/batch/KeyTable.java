package org.svcmailbox.core.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * Maps keys to pages in an open-addressing hash table with 20 bytes per slot. Entries as objects
 * would take four times that and burden the garbage collector. Slots hold a page's number, so the
 * collector has no references to follow. Entries of removed pages stay until the table is rebuilt:
 * when it is two thirds full, or its list of pages is as long as the table. One thread at a time.
 */
final class KeyTable {
  private static final int LEAST = 16;
  private static final int FREE = 0;

  /** Prevents clients from choosing keys that collide. */
  private final long seed = ThreadLocalRandom.current().nextLong();

  private long[] keys = new long[2 * LEAST];

  /** The number of the page of each slot's key, or {@link #FREE}. */
  private int[] numbers = new int[LEAST];

  /**
   * Page number n is the nth in this list. A page appears again when another page's key came
   * between its own.
   */
  private List<KeyPage> pages = new ArrayList<>();

  private int used;

  /** The page of a key; null if there is none or it was removed. */
  @Nullable KeyPage get(IdempotencyKey key) {
    int number = numbers[place(key.high(), key.low())];
    return isLive(number) ? pages.get(number - 1) : null;
  }

  private boolean isLive(int number) {
    return number != FREE && !pages.get(number - 1).isRemoved();
  }

  void put(IdempotencyKey key, KeyPage page) {
    set(key.high(), key.low(), number(page));
    if (3 * used > 2 * numbers.length || pages.size() > numbers.length) {
      rebuild();
    }
  }

  private int number(KeyPage page) {
    if (pages.isEmpty() || pages.get(pages.size() - 1) != page) {
      pages.add(page);
    }
    return pages.size();
  }

  private void set(long high, long low, int number) {
    int place = place(high, low);
    if (numbers[place] == FREE) {
      used++;
      keys[2 * place] = high;
      keys[2 * place + 1] = low;
    }
    numbers[place] = number;
  }

  /** The slot of a key, or the free slot where it would go. */
  private int place(long high, long low) {
    int mask = numbers.length - 1;
    int place = (int) (((low ^ seed) * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (numbers[place] != FREE && (keys[2 * place] != high || keys[2 * place + 1] != low)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Drops the entries of removed pages, and makes room for as many again. */
  private void rebuild() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    List<KeyPage> oldPages = pages;
    int[] renumbered = new int[oldPages.size() + 1];
    int capacity = capacity(live());
    keys = new long[2 * capacity];
    numbers = new int[capacity];
    pages = new ArrayList<>();
    used = 0;
    for (int i = 0; i < oldNumbers.length; i++) {
      int old = oldNumbers[i];
      if (old != FREE && !oldPages.get(old - 1).isRemoved()) {
        if (renumbered[old] == FREE) {
          pages.add(oldPages.get(old - 1));
          renumbered[old] = pages.size();
        }
        set(oldKeys[2 * i], oldKeys[2 * i + 1], renumbered[old]);
      }
    }
  }

  private int live() {
    int live = 0;
    for (int number : numbers) {
      if (isLive(number)) {
        live++;
      }
    }
    return live;
  }

  private static int capacity(int live) {
    return Math.max(LEAST, Integer.highestOneBit(Math.max(1, live)) * 4);
  }

  /** Adds the pages of a worker to {@code to}. */
  void addPages(WorkerId worker, Set<KeyPage> to) {
    pages.stream().filter(page -> page.worker().equals(worker)).forEach(to::add);
  }

  int capacity() {
    return numbers.length;
  }

  int pages() {
    return pages.size();
  }
}
