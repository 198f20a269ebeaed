package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.OutboxStoreException;

class ReceiverTurnTest {
  private static final DataSource POSTGRES = SharedPostgres.withoutPool("turns");

  @TempDir private Path directory;

  private static void oneAtATime(DataSource source) {
    try (JdbcReceiverTurn other = new JdbcReceiverTurn(source, "shipping");
        JdbcReceiverTurn billing = new JdbcReceiverTurn(source, "billing")) {
      try (JdbcReceiverTurn one = new JdbcReceiverTurn(source, "shipping")) {
        assertTrue(one.take());
        assertTrue(one.take(), "it keeps its turn");
        assertFalse(other.take());
        assertTrue(billing.take(), "each consumer has its own");
      }
      assertTrue(other.take());
    }
  }

  @Test
  void oneAtATimeOnPostgres() {
    oneAtATime(POSTGRES);
  }

  @Test
  void oneAtATimeOnSqlite() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve("turns.db"));
    oneAtATime(source);
  }

  @Test
  void aTurnEndsWithItsSession() throws Exception {
    try (JdbcReceiverTurn one = new JdbcReceiverTurn(POSTGRES, "orders");
        JdbcReceiverTurn other = new JdbcReceiverTurn(POSTGRES, "orders")) {
      assertTrue(one.take());
      endOtherSessions();
      assertTrue(other.take());
      assertThrows(OutboxStoreException.class, one::take);
      assertFalse(one.take());
    }
  }

  private static void endOtherSessions() throws SQLException {
    try (Connection connection = POSTGRES.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }
  }

  @Test
  void anH2DatabaseHasNoTurns() {
    JdbcDataSource source = new JdbcDataSource();
    source.setUrl("jdbc:h2:mem:turns");
    try (JdbcReceiverTurn turn = new JdbcReceiverTurn(source, "shipping")) {
      assertThrows(OutboxException.class, turn::take);
    }
  }
}
