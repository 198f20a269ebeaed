package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("nightly")
class PostgresRowBytesTest implements RowBytesContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  /** Rows deleted by earlier tests still take space. */
  @BeforeEach
  void empty() throws SQLException {
    try (Connection connection = DATABASE.source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("truncate ledger_page");
    }
  }

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Override
  public Database kind() {
    return Database.POSTGRESQL;
  }

  @Override
  public String size() {
    return "select pg_total_relation_size('ledger_page')";
  }
}
