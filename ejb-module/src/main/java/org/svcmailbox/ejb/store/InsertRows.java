package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Inserts many rows with few statements. */
public final class InsertRows {
  private static final int MOST_ROWS = 64;

  private final int columns;

  /** For 1, 2, 4, ... {@link #MOST_ROWS} rows, so that few prepared statements suffice. */
  private final List<String> statements;

  public InsertRows(String table, String... columns) {
    this.columns = columns.length;
    this.statements =
        IntStream.iterate(1, rows -> rows <= MOST_ROWS, rows -> rows * 2)
            .mapToObj(rows -> statement(table, columns, rows))
            .toList();
  }

  private static String statement(String table, String[] columns, int rows) {
    String row = "(" + String.join(", ", Collections.nCopies(columns.length, "?")) + ")";
    return "insert into %s (%s) values %s"
        .formatted(
            table, String.join(", ", columns), String.join(", ", Collections.nCopies(rows, row)));
  }

  /** Each row has a value for every column, in order. */
  public void run(Connection connection, List<Object[]> rows) throws SQLException {
    int from = 0;
    while (from < rows.size()) {
      int power = Integer.numberOfTrailingZeros(Integer.highestOneBit(rows.size() - from));
      int some = 1 << Math.min(power, statements.size() - 1);
      insert(
          connection,
          statements.get(Integer.numberOfTrailingZeros(some)),
          rows.subList(from, from + some));
      from += some;
    }
  }

  private void insert(Connection connection, String statement, List<Object[]> rows)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(statement)) {
      int at = 1;
      for (Object[] row : rows) {
        for (int column = 0; column < columns; column++) {
          insert.setObject(at++, row[column]);
        }
      }
      insert.executeUpdate();
    }
  }
}
