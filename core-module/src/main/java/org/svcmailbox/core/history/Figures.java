package org.svcmailbox.core.history;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * One value for each series.
 *
 * @param values those that are not 0
 */
public record Figures(Map<Series, Long> values) {
  /** All zero. */
  public static final Figures NONE = of(series -> 0);

  @FunctionalInterface
  private interface Rule {
    long of(Series series, long one, long other);
  }

  /** Takes over the values that are not 0. */
  public Figures {
    Map<Series, Long> filled = new EnumMap<>(Series.class);
    values.forEach(
        (series, value) -> {
          if (value != 0) {
            filled.put(series, value);
          }
        });
    values = Collections.unmodifiableMap(filled);
  }

  /** Asks for each value once. */
  public static Figures of(ToLongFunction<Series> value) {
    Map<Series, Long> values = new EnumMap<>(Series.class);
    for (Series series : Series.values()) {
      values.put(series, value.applyAsLong(series));
    }
    return new Figures(values);
  }

  public long of(Series series) {
    return values.getOrDefault(series, 0L);
  }

  public boolean isZero() {
    return values.isEmpty();
  }

  /** Merges a later minute: sums add up, of the others the largest stays. */
  public Figures merge(Figures later) {
    return combine(later, Series::merged);
  }

  /** Adds another topic or node in the same minute. */
  public Figures add(Figures other) {
    return combine(other, Series::added);
  }

  /** The activity of a topic, to choose those that are kept. */
  long activity() {
    return of(Series.SENT) + of(Series.DELIVERED) + of(Series.ACKED) + of(Series.DEAD);
  }

  /** The contents of a topic, to choose among equally active ones. */
  long holding() {
    return of(Series.READY) + of(Series.SCHEDULED) + of(Series.INFLIGHT) + of(Series.LETTERS);
  }

  private Figures combine(Figures other, Rule rule) {
    return of(series -> rule.of(series, of(series), other.of(series)));
  }
}
