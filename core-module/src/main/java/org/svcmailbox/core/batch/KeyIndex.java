package org.svcmailbox.core.batch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * Maps keys to pages, in 50 to 60 bytes per key of a full table and 70 per page. A SEND with a new
 * key does not ask the database, and the database needs no index of random keys. Only the page
 * tells which message took a key. Any thread.
 *
 * <p>A page is removed as a whole by marking it; its entries are dropped when their table is next
 * rebuilt. A stripe's lock or the queue's is taken before a page's, and those two are never held
 * together.
 */
final class KeyIndex {
  /**
   * Keeps a stripe's table below half a heap region, up to four million keys: a larger table would
   * take whole regions and waste part of them.
   */
  private static final int STRIPES = 512;

  private final KeyTable[] stripes;
  private final PriorityQueue<KeyPage> byExpiry = new PriorityQueue<>();
  private final AtomicLong size = new AtomicLong();

  KeyIndex() {
    this(STRIPES);
  }

  /**
   * Uses another number of stripes than usual.
   *
   * @param stripes a power of two
   */
  KeyIndex(int stripes) {
    this.stripes = new KeyTable[stripes];
    for (int i = 0; i < stripes; i++) {
      this.stripes[i] = new KeyTable();
    }
  }

  /** The page of a key, even if its window is over; null if there is none. */
  @Nullable KeyPage find(IdempotencyKey key) {
    KeyTable stripe = stripe(key);
    synchronized (stripe) {
      return stripe.get(key);
    }
  }

  /**
   * Takes keys for a page, up to the first key that is not free.
   *
   * @param now epoch milliseconds; keys whose window is over by then are free
   * @return the key that is not free; null if the page got all of them
   */
  @Nullable IdempotencyKey takeAll(StoredKeys keys, KeyPage page, long now) {
    for (int i = 0; i < keys.size(); i++) {
      IdempotencyKey key = keys.key(i);
      if (!take(key, page, now)) {
        return key;
      }
    }
    return null;
  }

  /**
   * Takes a key for a page if it is free or its holder yields it. A page cannot take a key twice.
   */
  boolean take(IdempotencyKey key, KeyPage page, long now) {
    KeyTable stripe = stripe(key);
    synchronized (stripe) {
      KeyPage holder = stripe.get(key);
      boolean isFree =
          holder == null
              || (holder != page
                  && (holder.expiresAt() <= now || page.succession().takes(key, holder)));
      if (isFree) {
        put(stripe, key, page, holder);
      }
      return isFree;
    }
  }

  /** Returns the keys that a page took from other pages, unless those are gone. */
  void giveBack(KeyPage page) {
    page.succession().predecessors().forEach((key, holder) -> giveBack(key, page, holder));
  }

  private void giveBack(IdempotencyKey key, KeyPage page, KeyPage holder) {
    KeyTable stripe = stripe(key);
    synchronized (stripe) {
      if (stripe.get(key) == page && holder.regained()) {
        stripe.put(key, holder);
        page.lost();
      }
    }
  }

  /** Adds a key that was read. If two pages have it, the one that expires later counts. */
  void load(IdempotencyKey key, KeyPage page) {
    KeyTable stripe = stripe(key);
    synchronized (stripe) {
      KeyPage holder = stripe.get(key);
      if (holder == null || holder.compareTo(page) < 0) {
        put(stripe, key, page, holder);
      }
    }
  }

  private void put(KeyTable stripe, IdempotencyKey key, KeyPage page, @Nullable KeyPage holder) {
    stripe.put(key, page);
    page.gained();
    boolean isTakenOver = holder != null && holder.lost();
    if (!isTakenOver) {
      size.incrementAndGet();
    }
  }

  /** Records that the database has these pages, which can expire from now on. */
  void applied(Collection<KeyPage> pages) {
    synchronized (byExpiry) {
      byExpiry.addAll(pages);
    }
  }

  /**
   * Removes from the queue the pages that expired first, all before {@code now} (epoch
   * milliseconds), until they have {@code most} keys. Pages of the same moment come together. The
   * caller passes them to {@link #applied} again or to {@link #remove}.
   */
  List<KeyPage> pollExpired(long now, int most) {
    List<KeyPage> due = new ArrayList<>();
    int keys = 0;
    long until = Long.MIN_VALUE;
    synchronized (byExpiry) {
      KeyPage first = byExpiry.peek();
      while (first != null
          && first.expiresAt() < now
          && (keys < most || first.expiresAt() == until)) {
        until = first.expiresAt();
        keys += first.keys();
        due.add(byExpiry.remove());
        first = byExpiry.peek();
      }
    }
    return due;
  }

  /** Frees the keys that pages still have; returns how many. */
  int remove(Collection<KeyPage> pages) {
    int removed = pages.stream().mapToInt(KeyPage::remove).sum();
    size.addAndGet(-removed);
    return removed;
  }

  /** Frees all keys of a worker's pages. The worker must not take keys meanwhile. */
  void forget(WorkerId worker) {
    Set<KeyPage> pages = new HashSet<>();
    for (KeyTable stripe : stripes) {
      synchronized (stripe) {
        stripe.addPages(worker, pages);
      }
    }
    synchronized (byExpiry) {
      byExpiry.removeIf(page -> page.worker().equals(worker));
    }
    remove(pages);
  }

  /** The number of taken keys, including expired ones. */
  long size() {
    return size.get();
  }

  private KeyTable stripe(IdempotencyKey key) {
    return stripes[(int) (key.high() >>> 1) & (stripes.length - 1)];
  }
}
