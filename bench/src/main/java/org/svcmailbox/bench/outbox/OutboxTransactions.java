package org.svcmailbox.bench.outbox;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.outbox.jdbc.JdbcOutbox;

/**
 * The cost of an event in the transaction of the caller. The transaction is one INSERT and the
 * commit: alone, with a second INSERT, with {@code record}, and with a call that gruelbox
 * schedules. One thread takes short turns, so that disturbances of the machine hit all kinds.
 */
final class OutboxTransactions {
  private static final int TURN = 50;
  private static final int KINDS = 4;

  private static final String INSERT = "INSERT INTO orders (customer, total) VALUES (?, ?)";

  private final OutboxDatabase database;
  private final Gruelbox gruelbox;
  private int number;

  /**
   * Medians of one round in milliseconds.
   *
   * @param twice with a second INSERT, the least that a row can cost
   */
  record Millis(double alone, double twice, double recorded, double scheduled) {
    /** Transactions with {@code record} to those alone. */
    double ratio() {
      return recorded / alone;
    }

    /** Time that {@code record} adds to time that gruelbox adds. */
    double added() {
      return (recorded - alone) / (scheduled - alone);
    }
  }

  private interface Transaction {
    void commit() throws Exception;
  }

  OutboxTransactions(OutboxDatabase database) throws IOException, ReflectiveOperationException {
    this.database = database;
    // Scheduled calls are dropped: running them would slow the next transactions.
    gruelbox = new Gruelbox(database.source(), task -> {}, json -> {});
  }

  /**
   * Measures one round.
   *
   * @param each time for each kind
   */
  Millis measure(Duration each) throws Exception {
    database.empty();
    database.execute("TRUNCATE txno_outbox");
    database.settle("outbox_events");
    List<Long> alone = new ArrayList<>();
    List<Long> twice = new ArrayList<>();
    List<Long> recorded = new ArrayList<>();
    List<Long> scheduled = new ArrayList<>();
    long start = System.nanoTime();
    while (System.nanoTime() - start < KINDS * each.toNanos()) {
      turn(() -> plain(1), alone);
      turn(() -> plain(2), twice);
      turn(this::recorded, recorded);
      turn(this::scheduled, scheduled);
    }
    return new Millis(median(alone), median(twice), median(recorded), median(scheduled));
  }

  private static double median(List<Long> nanos) {
    return Samples.millis(nanos, 50);
  }

  private static void turn(Transaction transaction, List<Long> nanos) throws Exception {
    for (int i = 0; i < TURN; i++) {
      long before = System.nanoTime();
      transaction.commit();
      nanos.add(System.nanoTime() - before);
    }
  }

  private void plain(int inserts) throws SQLException {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < inserts; i++) {
        insert(connection);
      }
      connection.commit();
    }
  }

  private void recorded() throws SQLException {
    try (Connection connection = database.source().getConnection()) {
      connection.setAutoCommit(false);
      insert(connection);
      JdbcOutbox.of(connection).record(OutboxOrders.event(++number));
      connection.commit();
    }
  }

  private void scheduled() throws ReflectiveOperationException {
    gruelbox.transact(OutboxTransactions::insert, OutboxOrders.json(++number));
  }

  private static void insert(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, "c-1");
      insert.setInt(2, 129);
      insert.executeUpdate();
    }
  }
}
