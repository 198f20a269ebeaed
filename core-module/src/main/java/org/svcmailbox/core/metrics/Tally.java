package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts by one label. Values beyond the first {@link #MOST_VALUES} count as {@link #OTHER}. Any
 * thread.
 */
public final class Tally implements MetricSource {
  public static final int MOST_VALUES = 100;

  public static final String OTHER = "other";

  private final Family family;
  private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** Exports {@code known} values even at 0, so that their first increase is visible. */
  public Tally(Family family, List<String> known) {
    this.family = family;
    known.forEach(this::counter);
  }

  public void count(String value) {
    LongAdder known = counts.get(value);
    (known != null ? known : counter(value)).increment();
  }

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
