package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The idempotency keys of each holder whose window is not over. Windows that end at about the same
 * time are counted together, which extends them by at most a sixteenth of their length. {@link
 * #prune} removes holders without keys. Any thread.
 *
 * @param <H> the holder of the keys: a topic, a capability
 */
final class KeyWindows<H> {
  private static final int PARTS = 16;

  /** One holder's counts by the end of their windows; changed under its map entry's lock. */
  private static final class Counts {
    private final TreeMap<Long, Long> byEnd = new TreeMap<>();
    private final AtomicLong sum = new AtomicLong();

    void add(long end, long keys) {
      byEnd.merge(end, keys, Long::sum);
      sum.addAndGet(keys);
    }

    void endBy(long now) {
      while (!byEnd.isEmpty() && byEnd.firstKey() <= now) {
        sum.addAndGet(-byEnd.pollFirstEntry().getValue());
      }
    }
  }

  private final ConcurrentHashMap<H, Counts> byHolder = new ConcurrentHashMap<>();

  /**
   * Counts keys until their window ends.
   *
   * @param now milliseconds
   * @param end milliseconds, later than {@code now}
   */
  void add(H holder, long keys, long now, long end) {
    long part = Math.max(1, Long.highestOneBit(Math.max(1, (end - now) / PARTS)));
    long rounded = Math.floorDiv(end + part - 1, part) * part;
    byHolder.compute(
        holder,
        (same, before) -> {
          Counts counts = before == null ? new Counts() : before;
          counts.add(rounded, keys);
          return counts;
        });
  }

  /** The keys of a holder whose window is not over. */
  long of(H holder, long now) {
    Counts left =
        byHolder.computeIfPresent(
            holder,
            (same, counts) -> {
              counts.endBy(now);
              return counts.sum.get() == 0 ? null : counts;
            });
    return left == null ? 0 : left.sum.get();
  }

  /** Forgets holders whose windows are all over. */
  void prune(long now) {
    for (H holder : byHolder.keySet()) {
      long unused = of(holder, now);
    }
  }

  /** The number of holders in memory. */
  int size() {
    return byHolder.size();
  }

  /** Returns the largest parts, greatest first. */
  List<Shares.Part<H>> largest(int limit, long now) {
    return Shares.greatest(
        byHolder.keySet().stream()
            .map(holder -> new Shares.Part<>(holder, of(holder, now)))
            .filter(part -> part.amount() > 0),
        limit);
  }
}
