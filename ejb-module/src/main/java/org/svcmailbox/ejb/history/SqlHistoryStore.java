package org.svcmailbox.ejb.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.history.Figures;
import org.svcmailbox.core.history.HistoryStore;
import org.svcmailbox.core.history.MinuteRows;
import org.svcmailbox.core.history.Series;
import org.svcmailbox.ejb.store.Transactions;

/** Keeps the history in the table {@code history_minute}. */
public final class SqlHistoryStore implements HistoryStore {
  /** The node of a server that is alone. */
  public static final int ALONE = 0;

  /** Topics whose old rows are removed in one transaction. */
  private static final int PURGED = 50;

  /** Rows of one transaction after which no further topic's are removed. */
  private static final int PURGED_ROWS = 20_000;

  /** Larger counts of a minute are kept as this, so that two of them fit the column. */
  private static final long MOST = 1_000_000_000;

  private static final List<Series> SERIES = List.of(Series.values());

  /** Of which the largest value of a minute's nodes counts. */
  private static final Set<Series> SEEN_BY_ALL = EnumSet.of(Series.LETTERS, Series.OLDEST_MS);

  private static final String UPSERT = upsert();

  private final Transactions transactions;
  private final IntSupplier node;

  /**
   * @param node names this process among those that share the database; asked with each write
   */
  public SqlHistoryStore(Transactions transactions, IntSupplier node) {
    this.transactions = transactions;
    this.node = node;
  }

  private static String upsert() {
    List<String> columns =
        Stream.concat(
                Stream.of("topic_id", "minute", "node"),
                Stream.concat(
                    SERIES.stream().map(Series::text), Stream.of("left_out", "started", "written")))
            .toList();
    String merges =
        Stream.concat(SERIES.stream().map(SqlHistoryStore::merge), Stream.of(sum("left_out")))
            .collect(Collectors.joining(", "));
    return "insert into history_minute (%s) values (%s) on conflict (topic_id, minute, node) do update set %s, %s"
        .formatted(
            String.join(", ", columns),
            String.join(", ", Collections.nCopies(columns.size(), "?")),
            merges,
            "started = excluded.started, written = excluded.written");
  }

  private static String merge(Series series) {
    String column = series.text();
    return series.isSum()
        ? sum(column)
        : "%1$s = case when excluded.%1$s > history_minute.%1$s then excluded.%1$s else history_minute.%1$s end"
            .formatted(column);
  }

  private static String sum(String column) {
    return "%1$s = history_minute.%1$s + excluded.%1$s".formatted(column);
  }

  @Override
  public void write(MinuteRows rows) {
    transactions.writeSql(
        connection -> {
          if (!isWritten(connection, rows)) {
            upsert(connection, rows);
          }
        });
  }

  /** A commit whose outcome was unknown is repeated. */
  private boolean isWritten(Connection connection, MinuteRows rows) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "select 1 from history_minute where topic_id = ? and minute = ? and node = ?"
                + " and started = ? and written >= ?")) {
      select.setInt(1, SERVICE);
      select.setLong(2, rows.minute());
      select.setInt(3, node.getAsInt());
      select.setLong(4, rows.run());
      select.setLong(5, rows.number());
      try (ResultSet found = select.executeQuery()) {
        return found.next();
      }
    }
  }

  private void upsert(Connection connection, MinuteRows rows) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(UPSERT)) {
      for (Map.Entry<Integer, Figures> topic : rows.topics().entrySet()) {
        add(insert, topic.getKey(), rows.minute(), topic.getValue(), null, null, null);
      }
      Figures service = rows.service();
      add(insert, SERVICE, rows.minute(), service, rows.leftOut(), rows.run(), rows.number());
      insert.executeBatch();
    }
  }

  private void add(
      PreparedStatement insert,
      int topicId,
      long minute,
      Figures figures,
      @Nullable Integer leftOut,
      @Nullable Long started,
      @Nullable Long written)
      throws SQLException {
    int at = 1;
    insert.setInt(at++, topicId);
    insert.setInt(at++, (int) minute);
    insert.setInt(at++, node.getAsInt());
    for (Series series : SERIES) {
      if (series == Series.REFUSED && topicId != SERVICE) {
        insert.setNull(at++, Types.INTEGER);
      } else if (series == Series.OLDEST_MS) {
        insert.setLong(at++, figures.of(series));
      } else {
        insert.setInt(at++, (int) Math.min(MOST, figures.of(series)));
      }
    }
    insert.setObject(at++, leftOut, Types.INTEGER);
    insert.setObject(at++, started, Types.BIGINT);
    insert.setObject(at, written, Types.BIGINT);
    insert.addBatch();
  }

  @Override
  public List<Step> read(int topicId, Span span, Set<Series> series) {
    List<Series> asked = SERIES.stream().filter(series::contains).toList();
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(select(asked))) {
            select.setLong(1, span.from());
            select.setInt(2, span.step());
            select.setInt(3, topicId);
            select.setLong(4, span.from());
            select.setLong(5, span.until());
            return steps(select, asked);
          }
        });
  }

  /**
   * Adds the nodes of each minute, then merges the minutes of each step. Each node counts its own
   * messages, and all dead letters of the broker.
   */
  private static String select(List<Series> asked) {
    String outer =
        asked.stream()
            .map(one -> ", %s(%s)".formatted(one.isSum() ? "sum" : "max", one.text()))
            .collect(Collectors.joining());
    String inner =
        asked.stream()
            .map(
                one ->
                    ", %1$s(%2$s) as %2$s"
                        .formatted(SEEN_BY_ALL.contains(one) ? "max" : "sum", one.text()))
            .collect(Collectors.joining());
    return ("select point, max(complete)%s from (select (minute - ?) / ? as point,"
            + " case when sum(left_out) = 0 then 1 else 0 end as complete%s from history_minute"
            + " where topic_id = ? and minute >= ? and minute < ? group by minute) as minutes"
            + " group by point order by point")
        .formatted(outer, inner);
  }

  private static List<Step> steps(PreparedStatement select, List<Series> asked)
      throws SQLException {
    List<Step> steps = new ArrayList<>();
    try (ResultSet found = select.executeQuery()) {
      while (found.next()) {
        Map<Series, Long> values = new EnumMap<>(Series.class);
        for (int i = 0; i < asked.size(); i++) {
          values.put(asked.get(i), found.getLong(i + 3));
        }
        steps.add(new Step(found.getInt(1), new Figures(values), found.getInt(2) == 1));
      }
    }
    return steps;
  }

  @Override
  public List<Instant> starts(Span span) {
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select =
              connection.prepareStatement(
                  "select distinct started from history_minute where topic_id = ? and minute >= ?"
                      + " and minute < ? and started >= ? order by started desc limit ?")) {
            select.setInt(1, SERVICE);
            select.setLong(2, span.from());
            select.setLong(3, span.until());
            select.setLong(4, span.begin(0).toEpochMilli());
            select.setInt(5, MOST_STARTS);
            return starts(select);
          }
        });
  }

  private static List<Instant> starts(PreparedStatement select) throws SQLException {
    List<Instant> starts = new ArrayList<>();
    try (ResultSet found = select.executeQuery()) {
      while (found.next()) {
        starts.add(0, Instant.ofEpochMilli(found.getLong(1)));
      }
    }
    return starts;
  }

  @Override
  public int purge(int topicId, long before) {
    return transactions.writeSqlAndAnswer(
        connection -> {
          int next = topicId;
          int removed = 0;
          for (int i = 0; i < PURGED && removed < PURGED_ROWS; i++) {
            int topic = firstFrom(connection, next);
            if (topic < next) {
              return SERVICE;
            }
            removed += remove(connection, topic, before);
            next = topic + 1;
          }
          return next;
        });
  }

  /** The first topic with rows; -1 if there is none. */
  private static int firstFrom(Connection connection, int topicId) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "select coalesce(min(topic_id), -1) from history_minute where topic_id >= ?")) {
      select.setInt(1, topicId);
      try (ResultSet found = select.executeQuery()) {
        found.next();
        return found.getInt(1);
      }
    }
  }

  private static int remove(Connection connection, int topicId, long before) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "delete from history_minute where topic_id = ? and minute < ?")) {
      delete.setInt(1, topicId);
      delete.setLong(2, before);
      return delete.executeUpdate();
    }
  }
}
