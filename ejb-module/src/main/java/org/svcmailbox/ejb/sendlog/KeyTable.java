package org.svcmailbox.ejb.sendlog;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * Keys and the page of each, in an open-addressing hash table of 20 bytes a place: entries as
 * objects would be four times that, and millions of them a burden for the collector. Entries of
 * removed pages stay until the table is rebuilt, which is when it is two thirds full. For one
 * thread at a time.
 */
final class KeyTable {
  private static final int LEAST = 16;

  /** Nobody can choose keys that all want one place. */
  private final long seed = ThreadLocalRandom.current().nextLong();

  private long[] keys = new long[2 * LEAST];
  private @Nullable KeyPage[] pages = new KeyPage[LEAST];
  private int used;

  /** The page of a key, unless it was removed; null when there is none. */
  @Nullable KeyPage get(IdempotencyKey key) {
    KeyPage page = pages[place(key.high(), key.low())];
    return page == null || page.isRemoved() ? null : page;
  }

  /** Enters a key, or gives it another page. */
  void put(IdempotencyKey key, KeyPage page) {
    set(key.high(), key.low(), page);
    if (3 * used > 2 * pages.length) {
      rebuild();
    }
  }

  private void set(long high, long low, KeyPage page) {
    int place = place(high, low);
    if (pages[place] == null) {
      used++;
      keys[2 * place] = high;
      keys[2 * place + 1] = low;
    }
    pages[place] = page;
  }

  /** Where a key is, or the free place where it would be. */
  private int place(long high, long low) {
    int mask = pages.length - 1;
    int place = (int) (((low ^ seed) * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (pages[place] != null && (keys[2 * place] != high || keys[2 * place + 1] != low)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Without what was removed, and with room for as many again. */
  private void rebuild() {
    long[] oldKeys = keys;
    @Nullable KeyPage[] oldPages = pages;
    int capacity = capacity(live());
    keys = new long[2 * capacity];
    pages = new KeyPage[capacity];
    used = 0;
    for (int i = 0; i < oldPages.length; i++) {
      KeyPage page = oldPages[i];
      if (page != null && !page.isRemoved()) {
        set(oldKeys[2 * i], oldKeys[2 * i + 1], page);
      }
    }
  }

  private int live() {
    int live = 0;
    for (KeyPage page : pages) {
      if (page != null && !page.isRemoved()) {
        live++;
      }
    }
    return live;
  }

  private static int capacity(int live) {
    return Math.max(LEAST, Integer.highestOneBit(Math.max(1, live)) * 4);
  }

  /** How many places it has. */
  int capacity() {
    return pages.length;
  }
}
