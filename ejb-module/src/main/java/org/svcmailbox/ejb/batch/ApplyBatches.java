package org.svcmailbox.ejb.batch;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.LedgerPage;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.SqlStates;
import org.svcmailbox.ejb.store.Transactions.SqlWork;

/**
 * One transaction of the projection. It advances each worker's last batch if that is the expected
 * one, inserts pages of keys and ledgers, and advances the ledgers' heads. It is plain SQL, because
 * it runs fifty times a second under load.
 *
 * <p>An earlier transaction of unknown outcome holds the workers' rows until it ends, so the first
 * statement waits for it or fails.
 */
final class ApplyBatches implements SqlWork {
  /** Shorter than the driver's timeout, so that the connection survives. */
  private static final String BOUND = "set local lock_timeout = '1s'";

  private static final String ADVANCE =
      "update send_log set applied = ?, stamp = ?, ledger_bytes = ledger_bytes + ?"
          + " where worker = ? and applied = ? and stamp = ?";
  private static final String FIRST =
      "insert into send_log (applied, stamp, ledger_bytes, worker) values (?, ?, ?, ?)"
          + " on conflict do nothing";
  private static final String HEAD =
      "insert into ledger_head (topic_id, shard, seq, link) values (?, ?, ?, ?)"
          + " on conflict (topic_id, shard) do update set seq = excluded.seq, link = excluded.link"
          + " where ledger_head.seq < ?";

  private final List<Advance> advances;
  private final List<LedgerPage> ledgerPages;
  private final Database database;
  private @Nullable WorkerId moved;

  ApplyBatches(List<Advance> advances, Database database) {
    this.advances = advances;
    this.ledgerPages =
        advances.stream()
            .flatMap(advance -> advance.batches().stream())
            .flatMap(batch -> batch.pages().ledgers().stream())
            .toList();
    this.database = database;
  }

  /**
   * The worker whose last batch was not the expected one when {@link #run} failed; null for none.
   */
  @Nullable WorkerId moved() {
    return moved;
  }

  @Override
  public void run(Connection connection) throws SQLException {
    moved = null;
    if (database.commitsLate()) {
      try (Statement bound = connection.createStatement()) {
        bound.execute(BOUND);
      }
    }
    for (Advance advance : advances) {
      if (!advance(connection, advance)) {
        moved = advance.worker();
        throw new SQLException("the last batch of worker " + moved + " is another one");
      }
    }
    KeyPageEntity.INSERT.run(connection, keyPages());
    LedgerPageEntity.INSERT.run(
        connection, ledgerPages.stream().map(LedgerPageEntity::row).toList());
    writeHeads(connection);
  }

  private boolean advance(Connection connection, Advance advance) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(ADVANCE)) {
      set(update, advance);
      update.setLong(5, advance.from().number());
      update.setLong(6, advance.from().stamp());
      if (update.executeUpdate() == 1) {
        return true;
      }
    }
    return advance.from().equals(BatchId.NONE) && begin(connection, advance);
  }

  /** Inserts a worker's first batches. */
  private boolean begin(Connection connection, Advance advance) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(FIRST)) {
      set(insert, advance);
      return insert.executeUpdate() == 1;
    }
  }

  private void set(PreparedStatement statement, Advance advance) throws SQLException {
    statement.setLong(1, advance.to().number());
    statement.setLong(2, advance.to().stamp());
    statement.setLong(3, ledgerBytes(advance));
    statement.setInt(4, advance.worker().number());
  }

  private long ledgerBytes(Advance advance) {
    return advance.batches().stream()
        .flatMap(batch -> batch.pages().ledgers().stream())
        .mapToLong(page -> database.rowBytes(page.entries().length))
        .sum();
  }

  private List<Object[]> keyPages() {
    return advances.stream()
        .flatMap(advance -> advance.batches().stream())
        .flatMap(batch -> KeyPageEntity.rows(batch).stream())
        .toList();
  }

  /** Fails the transaction if a ledger has already given a page's numbers. */
  private void writeHeads(Connection connection) throws SQLException {
    Map<LedgerId, LedgerPage> firsts = new LinkedHashMap<>();
    Map<LedgerId, LedgerPage> lasts = new HashMap<>();
    for (LedgerPage page : ledgerPages) {
      firsts.merge(page.ledger(), page, (one, other) -> before(one, other) ? one : other);
      lasts.merge(page.ledger(), page, (one, other) -> before(one, other) ? other : one);
    }
    try (PreparedStatement upsert = connection.prepareStatement(HEAD)) {
      for (LedgerPage first : firsts.values()) {
        addHead(upsert, first, requireNonNull(lasts.get(first.ledger())).head());
      }
      requireRaised(List.copyOf(firsts.values()), upsert.executeBatch());
    }
  }

  private static boolean before(LedgerPage one, LedgerPage other) {
    return one.firstSeq() < other.firstSeq();
  }

  private static void addHead(PreparedStatement upsert, LedgerPage first, LedgerHead head)
      throws SQLException {
    upsert.setInt(1, first.ledger().topicId());
    upsert.setInt(2, first.ledger().shard());
    upsert.setLong(3, head.seq());
    upsert.setBytes(4, head.link().bytes());
    upsert.setLong(5, first.firstSeq());
    upsert.addBatch();
  }

  private static void requireRaised(List<LedgerPage> pages, int[] counts) throws SQLException {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        LedgerPage page = pages.get(i);
        throw new SQLException(
            "ledger_head of topic id %d, shard %d has number %d already"
                .formatted(page.ledger().topicId(), page.ledger().shard(), page.firstSeq()),
            SqlStates.VIOLATION);
      }
    }
  }
}
