package org.svcmailbox.ejb.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryStore;
import org.svcmailbox.core.history.HistoryStore.Span;
import org.svcmailbox.core.history.MinuteRows;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.ejb.store.TestDatabase;

/** A history at its default bounds, a week of 200 topics: its size, and what a minute costs. */
@Tag("nightly")
class HistoryWeekTest {
  private static final int TOPICS = 200;
  private static final int MINUTES = 7 * 24 * 60;

  /** As many topics as the setting allows. */
  private static final int MOST_TOPICS = 1_000;

  private static final long FIRST = 29_931_840;
  private static final int RUNS = 9;
  private static final Duration READ = Duration.ofMillis(200);
  private static final Duration WRITE = Duration.ofMillis(500);

  @RegisterExtension static final TestDatabase SQLITE = TestDatabase.sqlite();
  @RegisterExtension static final TestDatabase POSTGRES = TestDatabase.postgres();

  private final Random random = new Random(43);

  /** Busy topics: no figure is small. */
  private Figures figures() {
    return Figures.of(series -> 1_000 + random.nextInt(1_000_000));
  }

  private MinuteRows minute(int minute, int topics) {
    Map<Integer, Figures> rows = new HashMap<>();
    for (int topic = 1; topic <= topics; topic++) {
      rows.put(topic, figures());
    }
    return new MinuteRows(FIRST + minute, FIRST * 60_000, minute, figures(), rows, 0);
  }

  private static Duration write(HistoryStore store, MinuteRows rows) {
    long begun = System.nanoTime();
    store.write(rows);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static Duration read(HistoryStore store, int topic) {
    long begun = System.nanoTime();
    var points =
        store.read(topic, new Span(FIRST, FIRST + MINUTES, 30), EnumSet.allOf(Series.class));
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertEquals(MINUTES / 30, points.size());
    return took;
  }

  private static long bytes(TestDatabase database, String query) throws SQLException {
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet size = statement.executeQuery(query)) {
      assertTrue(size.next());
      return size.getLong(1);
    }
  }

  private static Duration median(List<Duration> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }

  @Test
  void sqlite(TestReporter reporter) throws SQLException {
    String size = "select page_count * page_size from pragma_page_count(), pragma_page_size()";
    assertWeek(SQLITE, size, 80, reporter);
  }

  @Test
  void postgresql(TestReporter reporter) throws SQLException {
    assertWeek(POSTGRES, "select pg_total_relation_size('history_minute')", 180, reporter);
  }

  /**
   * @param size the query for the bytes of the table with its index
   * @param mostBytes of a row
   */
  private void assertWeek(TestDatabase database, String size, int mostBytes, TestReporter reporter)
      throws SQLException {
    HistoryStore store = new SqlHistoryStore(database.transactions(), () -> SqlHistoryStore.ALONE);
    long before = bytes(database, size);
    List<Duration> writes = new ArrayList<>();
    for (int minute = 0; minute < MINUTES; minute++) {
      writes.add(write(store, minute(minute, TOPICS)));
    }
    long rows = (TOPICS + 1L) * MINUTES;
    long bytes = bytes(database, size) - before;
    List<Duration> reads = new ArrayList<>();
    List<Duration> wide = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      reads.add(read(store, 1 + i * 20));
      wide.add(write(store, minute(MINUTES + i, MOST_TOPICS)));
    }
    String figures =
        "%,d rows in %,d bytes, %d a row; a minute of %d topics %d ms (median of %d), of %d topics %d ms;"
                .formatted(
                    rows,
                    bytes,
                    bytes / rows,
                    TOPICS,
                    median(writes).toMillis(),
                    MINUTES,
                    MOST_TOPICS,
                    median(wide).toMillis())
            + " a week of a topic "
            + reads.stream().map(Duration::toMillis).sorted().toList()
            + " ms";
    reporter.publishEntry("a week of history", figures);
    assertTrue(bytes / rows <= mostBytes, figures);
    assertTrue(reads.stream().sorted().toList().get(0).compareTo(READ) <= 0, figures);
    assertTrue(median(writes).compareTo(WRITE) <= 0, figures);
    assertTrue(median(wide).compareTo(WRITE) <= 0, figures);
  }
}
