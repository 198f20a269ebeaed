package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * Version 12: counts the bytes of existing ledgers, in Java because SQL does not know the size of a
 * row.
 */
final class CountLedgers implements JavaMigration {
  private final Database database;

  CountLedgers(Database database) {
    this.database = database;
  }

  @Override
  public MigrationVersion getVersion() {
    return MigrationVersion.fromVersion("12");
  }

  @Override
  public String getDescription() {
    return "count ledgers";
  }

  @Override
  public Integer getChecksum() {
    return 1;
  }

  @Override
  public boolean canExecuteInTransaction() {
    return true;
  }

  @Override
  public void migrate(Context context) throws SQLException {
    Connection connection = context.getConnection();
    try (PreparedStatement update =
        connection.prepareStatement(
            "update send_batch set ledger_bytes = ?"
                + " where worker = (select min(worker) from send_batch)")) {
      update.setLong(1, bytes(connection));
      update.executeUpdate();
    }
  }

  private long bytes(Connection connection) throws SQLException {
    long bytes = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select length(entries), count(*) from ledger_page group by length(entries)")) {
      while (rows.next()) {
        bytes += database.rowBytes(rows.getInt(1)) * rows.getLong(2);
      }
    }
    return bytes;
  }
}
