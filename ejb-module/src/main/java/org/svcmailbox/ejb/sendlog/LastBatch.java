package org.svcmailbox.ejb.sendlog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.svcmailbox.core.delivery.BatchId;
import org.svcmailbox.core.delivery.SendLog.Reserved;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.SqlWork;

/**
 * A worker's last batches, once no transaction is under way that could still change it.
 *
 * <p>PostgreSQL may commit a batch whose worker has lost the connection, and until then a plain
 * read does not see it. That transaction holds the worker's row, so this one takes the row too: it
 * waits, or fails. The row is made if it is missing; an insert meets a late first batch by its key.
 *
 * <p>SQLite commits while its caller waits, so nothing is ever late.
 */
final class LastBatch implements SqlWork {
  /** Shorter than the driver's patience, so that the connection survives. */
  private static final String BOUND = "set local lock_timeout = '1s'";

  private static final String MAKE =
      "insert into send_batch (worker, batch_no, places, ledger_bytes) values (?, 0, ?, 0)"
          + " on conflict do nothing";
  private static final String IDS =
      "select batch_no, stamp, confirmed, confirmed_stamp from send_batch where worker = ?";

  private final int worker;
  private final Database database;
  private Reserved found = Reserved.NOTHING;

  LastBatch(int worker, Database database) {
    this.worker = worker;
    this.database = database;
  }

  /** The batches, after {@link #run}. */
  Reserved found() {
    return found;
  }

  @Override
  public void run(Connection connection) throws SQLException {
    boolean locks = database.commitsLate();
    if (locks) {
      makeRow(connection);
    }
    try (PreparedStatement select =
        connection.prepareStatement(locks ? IDS + " for update" : IDS)) {
      select.setInt(1, worker);
      try (ResultSet row = select.executeQuery()) {
        if (row.next()) {
          found =
              new Reserved(
                  new BatchId(row.getLong(1), row.getLong(2)),
                  new BatchId(row.getLong(3), row.getLong(4)));
        }
      }
    }
  }

  private void makeRow(Connection connection) throws SQLException {
    try (Statement bound = connection.createStatement();
        PreparedStatement insert = connection.prepareStatement(MAKE)) {
      bound.execute(BOUND);
      insert.setInt(1, worker);
      insert.setBytes(2, BatchPlaces.NONE.bytes());
      insert.executeUpdate();
    }
  }
}
