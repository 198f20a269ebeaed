package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The computed size of rows matches the size that the database reports. */
interface RowBytesContract {
  int SHARDS = 4;
  int ENTRY = 80;

  /** The permitted relative error. */
  double TOLERANCE = 0.2;

  TestDatabase database();

  Database kind();

  /** A query for the bytes of the ledgers' table with all that belongs to it. */
  String size();

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 13, 20, 25, 40, 64, 128, 512})
  default void aTableOfPagesTakesWhatItsRowsAreSaidToTake(int entries) throws SQLException {
    int rows = Math.max(300, 24_000 / entries);
    fill(entries, rows);
    double told = (double) kind().rowBytes(ENTRY * entries) * rows;
    long taken = ask(size());
    assertTrue(
        Math.abs(told - taken) <= TOLERANCE * taken,
        () -> "%d entries: %,.0f told, %,d taken".formatted(entries, told, taken));
  }

  private void fill(int entries, int rows) throws SQLException {
    Random random = new Random(entries);
    byte[] page = new byte[ENTRY * entries];
    try (Connection connection = database().source().getConnection();
        PreparedStatement insert =
            connection.prepareStatement("insert into ledger_page values (?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (int row = 0; row < rows; row++) {
        random.nextBytes(page);
        insert.setInt(1, 7);
        insert.setInt(2, row % SHARDS);
        insert.setLong(3, 1_000_000L + (long) row * entries);
        insert.setBytes(4, page);
        insert.executeUpdate();
      }
      connection.commit();
    }
  }

  private long ask(String question) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      row.next();
      return row.getLong(1);
    }
  }
}
