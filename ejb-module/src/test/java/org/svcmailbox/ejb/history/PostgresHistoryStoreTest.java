package org.svcmailbox.ejb.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryStore;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.HistoryStore.Step;
import org.svcmailbox.core.history.HistoryStoreContract;
import org.svcmailbox.core.history.MinuteRows;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresHistoryStoreTest implements HistoryStoreContract {
  private static final int TOPIC = 7;

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final HistoryStore store =
      new SqlHistoryStore(DATABASE.transactions(), () -> SqlHistoryStore.ALONE);

  @Override
  public HistoryStore store() {
    return store;
  }

  @Test
  void nodesAddUpAndAllSeeTheSameDeadLetters() {
    HistoryStore second = new SqlHistoryStore(DATABASE.transactions(), () -> 2);
    store.write(minute(1, 1, 9, 4, 7, 50));
    second.write(minute(1, 2, 5, 4, 7, 80));
    second.write(minute(1, 2, 5, 4, 7, 80));
    store.write(minute(2, 1, 6, 1, 7, 0));
    second.write(minute(2, 2, 7, 2, 6, 0));

    Set<Series> all = EnumSet.allOf(Series.class);
    Span minutes = new Span(1, 3, 1);
    List<Step> steps =
        List.of(
            new Step(0, figures(14, 8, 7, 80), false), new Step(1, figures(13, 3, 7, 0), false));
    assertEquals(steps, store.read(TOPIC, minutes, all));
    assertEquals(
        List.of(new Step(0, figures(27, 8, 7, 80), false)),
        store.read(TOPIC, new Span(0, 4, 4), all));
  }

  private static MinuteRows minute(
      long minute, long run, long sent, long ready, long letters, long oldest) {
    Figures figures = figures(sent, ready, letters, oldest);
    return new MinuteRows(minute, run, minute, figures, Map.of(TOPIC, figures), 0);
  }

  private static Figures figures(long sent, long ready, long letters, long oldest) {
    return new Figures(
        Map.of(
            Series.SENT,
            sent,
            Series.READY,
            ready,
            Series.LETTERS,
            letters,
            Series.OLDEST_MS,
            oldest));
  }
}
