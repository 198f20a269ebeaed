package org.svcmailbox.core.history;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of minutes, from looks on a clock that the test moves. */
class MinuteSamplerTest {
  private static final Instant START = Instant.parse("2026-11-29T02:00:05Z");
  private static final long MINUTE = MinuteSampler.minuteOf(START);

  private final MinuteSampler sampler = new MinuteSampler(START, 2);

  private static Instant at(int seconds) {
    return START.plusSeconds(seconds);
  }

  private static Figures topic(long sent, long ready) {
    return new Figures(Map.of(Series.SENT, sent, Series.READY, ready));
  }

  private Optional<MinuteRows> look(int second, Figures topic, long refused) {
    return sampler.look(new Look(Map.of(1, topic), refused), at(second));
  }

  @Test
  void theFirstLookOfAMinuteEndsTheOneBefore() {
    assertEquals(Optional.empty(), look(10, topic(3, 7), 1));
    assertEquals(Optional.empty(), look(54, topic(4, 2), 1));

    MinuteRows rows = look(55, topic(6, 5), 4).orElseThrow();

    assertEquals(MINUTE, rows.minute());
    assertEquals(START.toEpochMilli(), rows.run());
    assertEquals(Map.of(1, topic(6, 7)), rows.topics());
    assertEquals(
        new Figures(Map.of(Series.SENT, 6L, Series.READY, 7L, Series.REFUSED, 4L)), rows.service());
    assertEquals(MINUTE + 1, sampler.minute());
  }

  @Test
  void theLookBetweenTwoMinutesCountsItsSumsOnce() {
    look(55, topic(6, 9), 0);

    MinuteRows rows = look(115, topic(8, 5), 0).orElseThrow();

    assertEquals(Map.of(1, topic(2, 9)), rows.topics());
  }

  @Test
  void aMinuteWithoutALookHasNoRows() {
    MinuteRows first = look(200, topic(3, 1), 0).orElseThrow();
    MinuteRows next = look(240, topic(4, 1), 0).orElseThrow();

    assertEquals(MINUTE, first.minute());
    assertEquals(MINUTE + 3, next.minute());
  }

  @Test
  void aTopicThatIsZeroHasNoRow() {
    MinuteRows rows = look(60, Figures.NONE, 0).orElseThrow();

    assertEquals(Map.of(), rows.topics());
    assertEquals(0, rows.leftOut());
  }

  @Test
  void theMostActiveTopicsAreKeptAndTheOthersOnlySummed() {
    Map<Integer, Figures> topics =
        Map.of(1, topic(1, 900), 2, topic(5, 0), 3, topic(1, 901), 4, Figures.NONE);

    MinuteRows rows = sampler.look(new Look(topics, 0), at(60)).orElseThrow();

    assertEquals(Map.of(2, topic(5, 0), 3, topic(1, 901)), rows.topics());
    assertEquals(1, rows.leftOut());
    assertEquals(topic(7, 1_801), rows.service());
  }

  @Test
  void theServiceHoldsWhatItsTopicsHeldAtOnce() {
    sampler.look(new Look(Map.of(1, topic(0, 9), 2, topic(0, 1)), 0), at(10));

    MinuteRows rows =
        sampler.look(new Look(Map.of(1, topic(0, 1), 2, topic(0, 8)), 0), at(60)).orElseThrow();

    assertEquals(10, rows.service().of(Series.READY));
    assertEquals(Map.of(1, topic(0, 9), 2, topic(0, 8)), rows.topics());
  }

  @Test
  void aClockThatIsSetBackEndsTheMinute() {
    look(130, topic(3, 1), 0);

    MinuteRows ended = look(-500, topic(5, 1), 0).orElseThrow();
    MinuteRows again = look(130, topic(6, 1), 0).orElseThrow();

    assertEquals(MINUTE + 2, ended.minute());
    assertEquals(2, requireNonNull(ended.topics().get(1)).of(Series.SENT));
    assertEquals(MinuteSampler.minuteOf(at(-500)), again.minute());
    assertEquals(1, requireNonNull(again.topics().get(1)).of(Series.SENT));
    assertTrue(again.number() > ended.number());
  }

  @Test
  void aTopicMadeAgainCountsFromZero() {
    sampler.look(new Look(Map.of(1, topic(90, 0)), 0), at(10));

    MinuteRows rows = sampler.look(new Look(Map.of(2, topic(4, 0)), 0), at(60)).orElseThrow();

    assertEquals(94, rows.service().of(Series.SENT));
    assertEquals(Map.of(1, topic(90, 0), 2, topic(4, 0)), rows.topics());
  }

  /** One look as a model remembers it: the counters, not what changed. */
  private record Remembered(Instant at, Map<Integer, Figures> topics, long refused) {
    long minute() {
      return at.getEpochSecond() / 60;
    }

    long total(Series series) {
      return topics.values().stream().mapToLong(figures -> figures.of(series)).sum();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void programsAgreeWithAModel(long seed) {
    Random random = new Random(seed);
    Map<Integer, Figures> counters = new TreeMap<>();
    for (int topic = 1; topic <= 4; topic++) {
      counters.put(topic, Figures.NONE);
    }
    List<Remembered> looks = new ArrayList<>();
    looks.add(new Remembered(START, new HashMap<>(counters), 0));
    List<MinuteRows> made = new ArrayList<>();
    Instant now = START;
    long refused = 0;
    for (int i = 0; i < 400; i++) {
      int topic = 1 + random.nextInt(4);
      counters.put(topic, changed(random, requireNonNull(counters.get(topic))));
      refused += random.nextInt(3);
      now = now.plus(passed(random));
      Look look = new Look(counters, refused);
      looks.add(new Remembered(now, Map.copyOf(counters), refused));
      sampler.look(look, now).ifPresent(made::add);
    }
    made.add(sampler.end());
    assertEquals(modelled(looks), made);
  }

  private static Figures changed(Random random, Figures before) {
    return Figures.of(
        series -> {
          long now = random.nextInt(3) == 0 ? random.nextInt(50) : 0;
          return series == Series.REFUSED ? 0 : series.isSum() ? before.of(series) + now : now;
        });
  }

  private static Duration passed(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> Duration.ofMinutes(-random.nextInt(10));
      case 1 -> Duration.ofHours(random.nextInt(3));
      default -> Duration.ofSeconds(1 + random.nextInt(20));
    };
  }

  /** Compares the counters at the ends of each minute, where the sampler adds up changes. */
  private static List<MinuteRows> modelled(List<Remembered> looks) {
    List<MinuteRows> rows = new ArrayList<>();
    int from = 0;
    for (int i = 1; i < looks.size(); i++) {
      boolean isLast = i == looks.size() - 1;
      if (looks.get(i).minute() != looks.get(from).minute()) {
        rows.add(modelled(looks.subList(from, i + 1), rows.size() + 1, from == 0));
        from = i;
      }
      if (isLast) {
        rows.add(modelled(looks.subList(from, i + 1), rows.size() + 1, from == 0));
      }
    }
    return rows;
  }

  private static MinuteRows modelled(List<Remembered> looks, int number, boolean isFirst) {
    Remembered begin = looks.get(0);
    Remembered end = looks.get(looks.size() - 1);
    // The first remembered moment was no look.
    List<Remembered> seen = isFirst ? looks.subList(1, looks.size()) : looks;
    Map<Integer, Figures> topics = new TreeMap<>();
    for (int topic : end.topics().keySet()) {
      int id = topic;
      topics.put(
          id,
          Figures.of(
              series ->
                  series.isSum()
                      ? requireNonNull(end.topics().get(id)).of(series)
                          - requireNonNull(begin.topics().get(id)).of(series)
                      : seen.stream()
                          .mapToLong(look -> requireNonNull(look.topics().get(id)).of(series))
                          .max()
                          .orElse(0)));
    }
    topics.values().removeIf(Figures::isZero);
    List<Integer> kept =
        topics.keySet().stream()
            .sorted(
                Comparator.<Integer>comparingLong(id -> -requireNonNull(topics.get(id)).activity())
                    .thenComparing(id -> -requireNonNull(topics.get(id)).holding()))
            .limit(2)
            .toList();
    Map<Integer, Figures> rows = new HashMap<>(topics);
    rows.keySet().retainAll(kept);
    return new MinuteRows(
        begin.minute(),
        START.toEpochMilli(),
        number,
        service(begin, end, seen),
        rows,
        topics.size() - rows.size());
  }

  private static Figures service(Remembered begin, Remembered end, List<Remembered> seen) {
    return Figures.of(
        series -> {
          if (series == Series.REFUSED) {
            return end.refused() - begin.refused();
          }
          if (series == Series.OLDEST_MS) {
            return seen.stream()
                .flatMap(look -> look.topics().values().stream())
                .mapToLong(figures -> figures.of(series))
                .max()
                .orElse(0);
          }
          return series.isSum()
              ? end.total(series) - begin.total(series)
              : seen.stream().mapToLong(look -> look.total(series)).max().orElse(0);
        });
  }
}
