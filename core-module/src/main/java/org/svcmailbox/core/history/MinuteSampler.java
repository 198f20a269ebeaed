package org.svcmailbox.core.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes the rows of each minute from successive looks. A look belongs to the minute in which it
 * happens, and the first one of a minute ends the minute before. Minutes without a look get no
 * rows: the process did not run. One thread.
 */
public final class MinuteSampler {
  private static final long MILLIS = Duration.ofMinutes(1).toMillis();

  /** The most active first; of equally active topics, those that hold most. */
  private static final Comparator<Map.Entry<Integer, Figures>> MOST_ACTIVE =
      Comparator.<Map.Entry<Integer, Figures>>comparingLong(one -> one.getValue().activity())
          .thenComparingLong(one -> one.getValue().holding())
          .reversed()
          .thenComparing(Map.Entry::getKey);

  private final long run;
  private final int mostTopics;
  private Look last = new Look(Map.of(), 0);
  private long minute;
  private long number;
  private Map<Integer, Figures> topics = new HashMap<>();
  private Figures service = Figures.NONE;

  /**
   * @param run when the process began
   * @param mostTopics topics with rows of their own in a minute
   */
  public MinuteSampler(Instant run, int mostTopics) {
    this.run = run.toEpochMilli();
    this.mostTopics = mostTopics;
    this.minute = minuteOf(run);
  }

  /** Minutes since 1970. */
  public static long minuteOf(Instant moment) {
    return Math.floorDiv(moment.toEpochMilli(), MILLIS);
  }

  /** The minute that is not yet complete. */
  public long minute() {
    return minute;
  }

  /** Adds a look; returns the rows of the minute that it ends. */
  public Optional<MinuteRows> look(Look seen, Instant now) {
    Map<Integer, Figures> counted = counted(seen);
    Figures all = sum(counted, seen.refused() - last.refused());
    last = seen;
    add(counted, all);
    if (minuteOf(now) == minute) {
      return Optional.empty();
    }
    MinuteRows ended = end();
    minute = minuteOf(now);
    // The moment between two minutes belongs to both, but what was counted only to the first.
    topics = new HashMap<>(held(counted));
    service = held(all);
    return Optional.of(ended);
  }

  /** Ends the minute that is not complete, because the process ends. */
  public MinuteRows end() {
    List<Map.Entry<Integer, Figures>> filled =
        topics.entrySet().stream()
            .filter(one -> !one.getValue().isZero())
            .sorted(MOST_ACTIVE)
            .toList();
    Map<Integer, Figures> kept =
        filled.stream()
            .limit(mostTopics)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    number++;
    return new MinuteRows(minute, run, number, service, kept, filled.size() - kept.size());
  }

  private void add(Map<Integer, Figures> counted, Figures all) {
    counted.forEach((topic, figures) -> topics.merge(topic, figures, Figures::merge));
    service = service.merge(all);
  }

  /** Turns the counters of each topic into what was counted since the last look. */
  private Map<Integer, Figures> counted(Look seen) {
    Map<Integer, Figures> counted = new HashMap<>();
    seen.topics()
        .forEach(
            (topic, figures) ->
                counted.put(
                    topic, since(last.topics().getOrDefault(topic, Figures.NONE), figures)));
    return counted;
  }

  private static Figures since(Figures before, Figures now) {
    return Figures.of(
        series ->
            series.isSum() ? Math.max(0, now.of(series) - before.of(series)) : now.of(series));
  }

  private static Figures sum(Map<Integer, Figures> counted, long refused) {
    Figures topics = counted.values().stream().reduce(Figures.NONE, Figures::add);
    return topics.add(new Figures(Map.of(Series.REFUSED, Math.max(0, refused))));
  }

  private static Map<Integer, Figures> held(Map<Integer, Figures> counted) {
    return counted.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, one -> held(one.getValue())));
  }

  private static Figures held(Figures figures) {
    return Figures.of(series -> series.isSum() ? 0 : figures.of(series));
  }
}
