package org.svcmailbox.core.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.svcmailbox.core.problem.UnavailableException;

/** A naive store, which merges every row when it is asked. */
public final class InMemoryHistoryStore implements HistoryStore {
  /** Larger counts are kept as this. */
  private static final long MOST = 1_000_000_000;

  private final List<MinuteRows> written = new ArrayList<>();

  /** Rows below which minute a topic has lost; by topic. */
  private final Map<Integer, Long> purged = new TreeMap<>();

  /** Whether every call fails. */
  public boolean isAway;

  @Override
  public void write(MinuteRows rows) {
    requirePresent();
    boolean isRepeated =
        written.stream().anyMatch(one -> one.run() == rows.run() && one.number() == rows.number());
    if (!isRepeated) {
      written.add(rows);
    }
  }

  private void requirePresent() {
    if (isAway) {
      throw new UnavailableException("the database is away");
    }
  }

  @Override
  public List<Step> read(int topicId, Span span, Set<Series> series) {
    requirePresent();
    Map<Integer, Step> steps = new TreeMap<>();
    for (long minute = span.from(); minute < span.until(); minute++) {
      for (Figures figures : rows(topicId, minute)) {
        Figures asked = Figures.of(one -> series.contains(one) ? figures.of(one) : 0);
        int point = span.point(minute);
        steps.merge(
            point,
            new Step(point, asked, topicId == SERVICE && leftOut(minute) == 0),
            (one, other) ->
                new Step(
                    point,
                    one.figures().merge(other.figures()),
                    one.isComplete() || other.isComplete()));
      }
    }
    return List.copyOf(steps.values());
  }

  private List<Figures> rows(int topicId, long minute) {
    return written.stream()
        .filter(one -> one.minute() == minute && minute >= purged.getOrDefault(topicId, 0L))
        .filter(one -> topicId == SERVICE || one.topics().containsKey(topicId))
        .map(one -> topicId == SERVICE ? one.service() : one.topics().get(topicId))
        .map(figures -> Figures.of(series -> kept(series, figures)))
        .toList();
  }

  private static long kept(Series series, Figures figures) {
    long value = figures.of(series);
    return series == Series.OLDEST_MS ? value : Math.min(MOST, value);
  }

  private int leftOut(long minute) {
    return written.stream()
        .filter(one -> one.minute() == minute)
        .mapToInt(MinuteRows::leftOut)
        .sum();
  }

  @Override
  public List<Instant> starts(Span span) {
    requirePresent();
    Map<Long, Long> lastRun = new TreeMap<>();
    written.stream()
        .filter(one -> one.minute() >= span.from() && one.minute() < span.until())
        .filter(one -> one.minute() >= purged.getOrDefault(SERVICE, 0L))
        .forEach(one -> lastRun.put(one.minute(), one.run()));
    List<Instant> starts =
        new HashSet<>(lastRun.values())
            .stream()
                .map(Instant::ofEpochMilli)
                .filter(start -> !start.isBefore(span.begin(0)))
                .sorted()
                .toList();
    return starts.subList(Math.max(0, starts.size() - MOST_STARTS), starts.size());
  }

  @Override
  public int purge(int topicId, long before) {
    requirePresent();
    purged.merge(SERVICE, before, Math::max);
    written.stream()
        .flatMap(one -> one.topics().keySet().stream())
        .filter(topic -> topic >= topicId)
        .forEach(topic -> purged.merge(topic, before, Math::max));
    return SERVICE;
  }
}
