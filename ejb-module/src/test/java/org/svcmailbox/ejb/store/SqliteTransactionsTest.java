package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.problem.UnavailableException;

class SqliteTransactionsTest implements TransactionsContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  @Override
  public TestDatabase database() {
    return DATABASE;
  }

  @Test
  void aFileThatAnotherProcessWritesToIsUnavailableUntilItEnds() throws SQLException {
    try (Connection other = DATABASE.source().getConnection();
        Statement statement = other.createStatement()) {
      statement.executeUpdate("begin immediate");
      assertThrows(UnavailableException.class, SqliteTransactionsTest::insert);
      statement.executeUpdate("rollback");
    }
    assertEquals(1, insert());
  }

  private static int insert() {
    return DATABASE
        .transactions()
        .write(em -> em.createNativeQuery("insert into topic (name) values ('a')").executeUpdate());
  }
}
