package org.svcmailbox.core.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.HistoryStore.Step;

/** The contract of every {@link HistoryStore}; each test begins with an empty one. */
public interface HistoryStoreContract {
  /** A minute of November 2026. */
  long FIRST = 29_931_840;

  Set<Series> ALL = EnumSet.allOf(Series.class);

  HistoryStore store();

  /** When the n-th process began: that many seconds after the first minute. */
  private static long run(int number) {
    return FIRST * 60_000 + number * 1_000L;
  }

  private static Figures figures(long sent, long ready) {
    return new Figures(Map.of(Series.SENT, sent, Series.READY, ready));
  }

  private static MinuteRows rows(
      long minute, int run, long number, Figures service, Map<Integer, Figures> topics) {
    return new MinuteRows(FIRST + minute, run(run), number, service, topics, 0);
  }

  private static Span span(long from, long until, int step) {
    return new Span(FIRST + from, FIRST + until, step);
  }

  @Test
  default void everyFigureIsReadBack() {
    AtomicLong next = new AtomicLong(10);
    Figures service = Figures.of(series -> next.getAndIncrement());
    Figures topic = Figures.of(series -> series == Series.REFUSED ? 0 : next.getAndIncrement());
    store().write(rows(3, 1, 1, service, Map.of(7, topic)));

    assertEquals(
        List.of(new Step(3, service, true)),
        store().read(HistoryStore.SERVICE, span(0, 5, 1), ALL));
    assertEquals(List.of(new Step(3, topic, false)), store().read(7, span(0, 5, 1), ALL));
    assertEquals(List.of(), store().read(8, span(0, 5, 1), ALL));
  }

  @Test
  default void seriesThatAreNotAskedForAreZero() {
    store().write(rows(0, 1, 1, figures(5, 6), Map.of()));

    assertEquals(
        List.of(new Step(0, figures(0, 6), true)),
        store().read(HistoryStore.SERVICE, span(0, 1, 1), Set.of(Series.READY)));
  }

  @Test
  default void aSpanBeginsWithItsFirstMinuteAndEndsBeforeItsLast() {
    for (int minute = 0; minute < 5; minute++) {
      store().write(rows(minute, 1, minute, figures(minute, 0), Map.of()));
    }

    assertEquals(
        List.of(new Step(0, figures(1, 0), true), new Step(1, figures(2, 0), true)),
        store().read(HistoryStore.SERVICE, span(1, 3, 1), ALL));
  }

  @Test
  default void aStepAddsSumsAndKeepsMaxima() {
    store().write(rows(0, 1, 1, figures(1, 9), Map.of(7, figures(1, 8))));
    store().write(rows(1, 1, 2, figures(2, 4), Map.of()));
    store().write(rows(4, 1, 3, figures(3, 5), Map.of(7, figures(3, 2))));
    store().write(rows(5, 1, 4, figures(4, 6), Map.of(7, figures(4, 1))));

    assertEquals(
        List.of(new Step(0, figures(6, 9), true), new Step(1, figures(4, 6), true)),
        store().read(HistoryStore.SERVICE, span(0, 10, 5), ALL));
    assertEquals(
        List.of(new Step(0, figures(4, 8), false), new Step(1, figures(4, 1), false)),
        store().read(7, span(0, 10, 5), ALL));
  }

  @Test
  default void aRepetitionChangesNothing() {
    MinuteRows rows = rows(0, 1, 1, figures(5, 6), Map.of(7, figures(5, 6)));
    store().write(rows);
    store().write(rows);

    assertEquals(
        List.of(new Step(0, figures(5, 6), true)),
        store().read(HistoryStore.SERVICE, span(0, 1, 1), ALL));
    assertEquals(List.of(new Step(0, figures(5, 6), false)), store().read(7, span(0, 1, 1), ALL));
  }

  @Test
  default void partsOfAMinuteAreMerged() {
    store().write(rows(0, 1, 1, figures(5, 6), Map.of(7, figures(5, 6))));
    store().write(rows(0, 1, 2, figures(1, 9), Map.of(7, figures(1, 9))));
    store().write(rows(0, 2, 1, figures(2, 3), Map.of(8, figures(2, 3))));

    assertEquals(
        List.of(new Step(0, figures(8, 9), true)),
        store().read(HistoryStore.SERVICE, span(0, 1, 1), ALL));
    assertEquals(List.of(new Step(0, figures(6, 9), false)), store().read(7, span(0, 1, 1), ALL));
    assertEquals(List.of(new Step(0, figures(2, 3), false)), store().read(8, span(0, 1, 1), ALL));
  }

  @Test
  default void aStepIsCompleteIfAMinuteLeftNothingOut() {
    store().write(new MinuteRows(FIRST, run(1), 1, Figures.NONE, Map.of(), 2));
    store().write(new MinuteRows(FIRST + 1, run(1), 2, Figures.NONE, Map.of(), 0));
    store().write(new MinuteRows(FIRST + 2, run(1), 3, Figures.NONE, Map.of(), 1));
    store().write(new MinuteRows(FIRST + 3, run(1), 4, Figures.NONE, Map.of(), 1));

    assertEquals(
        List.of(new Step(0, Figures.NONE, true), new Step(1, Figures.NONE, false)),
        store().read(HistoryStore.SERVICE, span(0, 4, 2), ALL));
  }

  @Test
  default void startsAreThoseOfTheSpan() {
    store().write(rows(0, 1, 1, Figures.NONE, Map.of()));
    store().write(rows(1, 1, 2, Figures.NONE, Map.of()));
    store().write(rows(2, 125, 1, Figures.NONE, Map.of()));
    store().write(rows(3, 190, 1, Figures.NONE, Map.of()));

    assertEquals(
        List.of(Instant.ofEpochMilli(run(1)), Instant.ofEpochMilli(run(125))),
        store().starts(span(0, 3, 1)));
    assertEquals(
        List.of(Instant.ofEpochMilli(run(125)), Instant.ofEpochMilli(run(190))),
        store().starts(span(1, 4, 1)),
        "the first began before");
  }

  @Test
  default void theLastHundredStartsAreTold() {
    int runs = HistoryStore.MOST_STARTS + 1;
    for (int minute = 0; minute < runs; minute++) {
      store().write(rows(minute, 60 * minute, 1, Figures.NONE, Map.of()));
    }

    List<Instant> starts = store().starts(span(0, runs, 1));
    assertEquals(HistoryStore.MOST_STARTS, starts.size());
    assertEquals(Instant.ofEpochMilli(run(60)), starts.get(0));
    assertEquals(Instant.ofEpochMilli(run(60 * (runs - 1))), starts.get(starts.size() - 1));
  }

  @Test
  default void largeCountsFitAndAddUp() {
    long large = 1L << 40;
    Figures figures =
        new Figures(Map.of(Series.SENT, large, Series.LETTERS, large, Series.OLDEST_MS, large));
    store().write(rows(0, 1, 1, figures, Map.of()));
    store().write(rows(1, 1, 2, figures, Map.of()));

    assertEquals(
        List.of(
            new Step(
                0,
                new Figures(
                    Map.of(
                        Series.SENT,
                        2_000_000_000L,
                        Series.LETTERS,
                        1_000_000_000L,
                        Series.OLDEST_MS,
                        large)),
                true)),
        store().read(HistoryStore.SERVICE, span(0, 2, 2), ALL));
  }

  @Test
  default void purgingRemovesWhatIsOlderOfEveryTopic() {
    Map<Integer, Figures> topics = new HashMap<>();
    IntStream.rangeClosed(1, 120).forEach(topic -> topics.put(topic * 3, figures(1, 1)));
    for (int minute = 0; minute < 3; minute++) {
      store().write(rows(minute, 1, minute, figures(2, 2), topics));
    }

    int next = HistoryStore.SERVICE;
    int turns = 0;
    do {
      next = store().purge(next, FIRST + 2);
      turns++;
    } while (next != HistoryStore.SERVICE);

    assertTrue(turns <= 4, "turns: " + turns);
    for (int topic : new int[] {HistoryStore.SERVICE, 3, 150, 153, 360}) {
      assertEquals(
          List.of(2),
          store().read(topic, span(0, 3, 1), ALL).stream().map(Step::point).toList(),
          "topic " + topic);
    }
    assertEquals(List.of(), store().starts(span(0, 2, 1)));
  }

  @Test
  default void programsAgreeWithTheNaiveStore() {
    Random random = new Random(43);
    HistoryStore naive = new InMemoryHistoryStore();
    for (int number = 0; number < 300; number++) {
      Map<Integer, Figures> topics = new HashMap<>();
      for (int topic = 1; topic <= 4; topic++) {
        if (random.nextBoolean()) {
          topics.put(topic, any(random, false));
        }
      }
      MinuteRows rows =
          new MinuteRows(
              FIRST + random.nextInt(90),
              run(60 * (number / 50)),
              number,
              any(random, true),
              topics,
              random.nextInt(3) / 2);
      naive.write(rows);
      store().write(rows);
      if (random.nextInt(4) == 0) {
        store().write(rows);
      }
    }
    for (int step : new int[] {1, 5, 30}) {
      for (int topic = HistoryStore.SERVICE; topic <= 5; topic++) {
        Set<Series> asked = step == 1 ? ALL : Set.of(Series.ACKED, Series.OLDEST_MS);
        assertEquals(
            naive.read(topic, span(0, 90, step), asked),
            store().read(topic, span(0, 90, step), asked),
            "topic " + topic + ", step " + step);
      }
    }
    assertEquals(naive.starts(span(0, 90, 1)), store().starts(span(0, 90, 1)));
  }

  private static Figures any(Random random, boolean isService) {
    return Figures.of(series -> series == Series.REFUSED && !isService ? 0 : random.nextInt(1_000));
  }
}
