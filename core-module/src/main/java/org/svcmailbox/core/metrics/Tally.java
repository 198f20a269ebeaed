package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts by one label. Its values are to be constants of the code; should one not be, the set is
 * bounded all the same: what comes after the most is counted as {@link #OTHER}. Any thread.
 */
public final class Tally implements MetricSource {
  /** The most values besides {@link #OTHER}. */
  public static final int MOST_VALUES = 100;

  /** Where the rest is counted. */
  public static final String OTHER = "other";

  private final Family family;
  private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

  /**
   * @param family a counter with one label
   * @param known values that are told even while they are 0, so that their first increase shows
   */
  public Tally(Family family, List<String> known) {
    this.family = family;
    known.forEach(this::counter);
  }

  /** Counts one more. */
  public void count(String value) {
    LongAdder known = counts.get(value);
    (known != null ? known : counter(value)).increment();
  }

  /** How many there were. */
  public long of(String value) {
    LongAdder known = counts.get(value);
    return known == null ? 0 : known.sum();
  }

  @Override
  public List<Metric> metrics() {
    return counts.entrySet().stream()
        .map(entry -> family.of(entry.getValue()::sum, entry.getKey()))
        .toList();
  }

  private synchronized LongAdder counter(String value) {
    boolean isRoom = counts.containsKey(value) || counts.size() < MOST_VALUES;
    return counts.computeIfAbsent(isRoom ? value : OTHER, key -> new LongAdder());
  }
}
