package org.svcmailbox.ejb.deadletter;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.ejb.store.Transactions;

/** Runs queries, and bounds the number of parameters of one statement. */
record SqlRows(Transactions transactions) {
  private static final int MAX_PARAMETERS = 200;

  /** The condition that a column has one of {@code count} values. */
  static String in(String column, int count) {
    return column + " in (" + String.join(", ", Collections.nCopies(count, "?")) + ")";
  }

  /** Splits values so that each part fits {@link #in}. */
  static <T> List<List<T>> parts(Collection<T> values) {
    List<T> all = List.copyOf(values);
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MAX_PARAMETERS) {
      parts.add(all.subList(from, Math.min(all.size(), from + MAX_PARAMETERS)));
    }
    return parts;
  }

  static void setPositions(PreparedStatement statement, List<LetterPosition> positions)
      throws SQLException {
    for (int i = 0; i < positions.size(); i++) {
      statement.setLong(i + 1, positions.get(i).bits());
    }
  }

  <T> List<T> select(Function<@Nullable Object[], T> read, String sql, Object... values) {
    return select(sql, values).stream().map(read).toList();
  }

  List<@Nullable Object[]> select(String sql, Object... values) {
    return transactions.readSql(
        connection -> {
          try (PreparedStatement select = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
              select.setObject(i + 1, values[i]);
            }
            return read(select);
          }
        });
  }

  private static List<@Nullable Object[]> read(PreparedStatement select) throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    try (ResultSet found = select.executeQuery()) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        @Nullable Object[] row = new @Nullable Object[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = found.getObject(i + 1);
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
