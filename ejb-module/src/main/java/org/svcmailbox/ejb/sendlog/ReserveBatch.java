package org.svcmailbox.ejb.sendlog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.Transactions.SqlWork;

/**
 * The writing of one batch: its number, then its keys, then its pages of the ledgers. In SQL: every
 * SEND waits for it (ADR 22).
 */
final class ReserveBatch implements SqlWork {
  // A worker reserves nothing before its last batch is confirmed, or withdrawn and without places.
  private static final String ADVANCE =
      "update send_batch set confirmed = case when places = ? then confirmed else batch_no end,"
          + " confirmed_stamp = case when places = ? then confirmed_stamp else stamp end,"
          + " batch_no = ?, stamp = ?, places = ?, ledger_bytes = ledger_bytes + ?"
          + " where worker = ? and batch_no < ?";
  private static final String NUMBER = "select batch_no from send_batch where worker = ?";
  private static final String FIRST =
      "insert into send_batch (batch_no, stamp, places, ledger_bytes, worker)"
          + " values (?, ?, ?, ?, ?)";

  private final Batch batch;
  private final Collection<KeyPage> keyPages;
  private final List<LedgerPage> ledgerPages;
  private final long ledgerBytes;

  /**
   * @param keyPages not yet written
   * @param database what it is written to
   */
  ReserveBatch(Batch batch, Collection<KeyPage> keyPages, Database database) {
    this.batch = batch;
    this.keyPages = keyPages;
    this.ledgerPages = LedgerPage.of(batch.rows());
    this.ledgerBytes = ledgerPages.stream().mapToLong(page -> database.rowBytes(page.size())).sum();
  }

  @Override
  public void run(Connection connection) throws SQLException {
    // A transaction of SQLite's that begins with a write never finds its snapshot outdated.
    if (!advance(connection)) {
      begin(connection);
    }
    KeyPageEntity.INSERT.run(connection, keyPages.stream().map(ReserveBatch::row).toList());
    LedgerPageEntity.INSERT.run(
        connection, ledgerPages.stream().map(LedgerPageEntity::row).toList());
  }

  private boolean advance(Connection connection) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(ADVANCE)) {
      update.setBytes(1, BatchPlaces.NONE.bytes());
      update.setBytes(2, BatchPlaces.NONE.bytes());
      update.setLong(3, batch.batchNo());
      update.setLong(4, batch.id().stamp());
      update.setBytes(5, BatchPlaces.of(ledgerPages).bytes());
      update.setLong(6, ledgerBytes);
      update.setInt(7, batch.worker());
      update.setLong(8, batch.batchNo());
      return update.executeUpdate() == 1;
    }
  }

  /** The first batch of a worker; or one whose number is behind the worker's last. */
  private void begin(Connection connection) throws SQLException {
    requireFirst(connection);
    try (PreparedStatement insert = connection.prepareStatement(FIRST)) {
      insert.setLong(1, batch.batchNo());
      insert.setLong(2, batch.id().stamp());
      insert.setBytes(3, BatchPlaces.of(ledgerPages).bytes());
      insert.setLong(4, ledgerBytes);
      insert.setInt(5, batch.worker());
      insert.executeUpdate();
    }
  }

  private void requireFirst(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(NUMBER)) {
      select.setInt(1, batch.worker());
      try (ResultSet last = select.executeQuery()) {
        if (last.next()) {
          throw new IllegalArgumentException(
              "batch %d of worker %d does not follow %d"
                  .formatted(batch.batchNo(), batch.worker(), last.getLong(1)));
        }
      }
    }
  }

  private static Object[] row(KeyPage page) {
    return KeyPageEntity.row(page, Objects.requireNonNull(page.unwritten()));
  }
}
