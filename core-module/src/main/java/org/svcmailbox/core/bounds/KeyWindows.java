package org.svcmailbox.core.bounds;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The idempotency keys of each holder whose window is not over. Windows that end at about the same
 * time are counted together, by at most a sixteenth of their length too long. Of holders without
 * keys nothing is kept after {@link #prune}. Any thread.
 *
 * @param <H> who took the keys: a topic, a capability
 */
final class KeyWindows<H> {
  private static final int PARTS = 16;

  /** The counts of one holder by the end of their windows; guarded by itself. */
  private static final class Counts {
    private final TreeMap<Long, Long> byEnd = new TreeMap<>();
    private long sum;

    void add(long end, long keys) {
      byEnd.merge(end, keys, Long::sum);
      sum += keys;
    }

    long live(long now) {
      Map.Entry<Long, Long> first = byEnd.firstEntry();
      while (first != null && first.getKey() <= now) {
        sum -= first.getValue();
        byEnd.remove(first.getKey());
        first = byEnd.firstEntry();
      }
      return sum;
    }
  }

  private final ConcurrentHashMap<H, Counts> byHolder = new ConcurrentHashMap<>();

  /**
   * Counts keys until their window ends.
   *
   * @param now milliseconds
   * @param end the same, later
   */
  void add(H holder, long keys, long now, long end) {
    long part = Math.max(1, Long.highestOneBit(Math.max(1, (end - now) / PARTS)));
    long rounded = Math.floorDiv(end + part - 1, part) * part;
    byHolder.compute(
        holder,
        (same, before) -> {
          Counts counts = before == null ? new Counts() : before;
          synchronized (counts) {
            counts.add(rounded, keys);
          }
          return counts;
        });
  }

  /** The keys of a holder whose window is not over. */
  long of(H holder, long now) {
    Counts counts = byHolder.get(holder);
    if (counts == null) {
      return 0;
    }
    synchronized (counts) {
      return counts.live(now);
    }
  }

  /** Forgets holders whose windows are all over. */
  void prune(long now) {
    byHolder
        .keySet()
        .forEach(
            holder ->
                byHolder.computeIfPresent(
                    holder, (same, counts) -> of(same, now) == 0 ? null : counts));
  }

  /** The holders that are kept. */
  int size() {
    return byHolder.size();
  }

  /** Returns the largest parts, greatest first. */
  List<Shares.Part<H>> largest(int limit, long now) {
    return byHolder.keySet().stream()
        .map(holder -> new Shares.Part<>(holder, of(holder, now)))
        .filter(part -> part.amount() > 0)
        .sorted(Comparator.<Shares.Part<H>>comparingLong(Shares.Part::amount).reversed())
        .limit(limit)
        .toList();
  }
}
