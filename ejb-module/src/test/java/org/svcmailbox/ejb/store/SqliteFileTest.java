package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteFileTest {
  private static final List<String> NUMBERS =
      List.of("busy_timeout", "cache_size", "wal_autocheckpoint");

  @TempDir private Path directory;

  @Test
  void theServersParametersReachTheConnection() throws IOException, SQLException {
    ServerUrl url = ServerUrl.read();
    try (SqliteFile file = SqliteFile.open(url, directory.resolve("a.db"))) {
      for (String name : NUMBERS) {
        assertEquals(url.value(name), pragma(file, name), name);
      }
      assertEquals(List.of(), Durability.violations(file.source(), Database.SQLITE));
    }
  }

  @Test
  void aChangedParameterReachesTheConnection() throws IOException, SQLException {
    ServerUrl hasty = ServerUrl.read().with("synchronous", "NORMAL");
    try (SqliteFile file = SqliteFile.open(hasty, directory.resolve("b.db"))) {
      assertEquals("1", pragma(file, "synchronous"));
    }
  }

  private static String pragma(SqliteFile file, String name) throws SQLException {
    try (Connection connection = file.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma " + name)) {
      row.next();
      return row.getString(1);
    }
  }
}
