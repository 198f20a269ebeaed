package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxException;

/** An application with Spring's transactions, which the library does not know. */
class SpringOutboxTest {
  private static final NewEvent EVENT = NewEvent.of("order", "1", "placed", "{}");

  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create("jdbc:h2:mem:spring;DB_CLOSE_DELAY=-1", "sa", "");
  private final TransactionTemplate transactions =
      new TransactionTemplate(new DataSourceTransactionManager(pool));
  private final JdbcTemplate jdbc = new JdbcTemplate(pool);
  private final JdbcOutbox outbox = JdbcOutbox.of(new TransactionAwareDataSourceProxy(pool));

  @BeforeEach
  void createTheTables() {
    OutboxSchema.migrate(pool);
    jdbc.execute("CREATE TABLE orders (id INT PRIMARY KEY)");
  }

  @AfterEach
  void dropTheDatabase() {
    jdbc.execute("SHUTDOWN");
    pool.dispose();
  }

  private MessageId place() {
    jdbc.update("INSERT INTO orders (id) VALUES (1)");
    return outbox.record(EVENT);
  }

  private int count(String table) {
    Integer rows = jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
    return rows == null ? -1 : rows;
  }

  private void assertRows(int rows) {
    assertEquals(rows, count("orders"));
    assertEquals(rows, count("outbox_events"));
  }

  @Test
  void theEventIsThereIfTheTransactionCommits() {
    assertEquals(EVENT.id(), transactions.execute(status -> place()));
    assertRows(1);
  }

  @Test
  void theEventIsGoneIfTheTransactionIsRolledBack() {
    transactions.executeWithoutResult(
        status -> {
          place();
          assertRows(1);
          status.setRollbackOnly();
        });
    assertRows(0);
  }

  @Test
  void theEventIsGoneIfTheCallerThrows() {
    assertThrows(
        IllegalStateException.class,
        () ->
            transactions.executeWithoutResult(
                status -> {
                  place();
                  throw new IllegalStateException("out of stock");
                }));
    assertRows(0);
  }

  @Test
  void withoutATransactionNothingIsRecorded() {
    OutboxException e = assertThrows(OutboxException.class, () -> outbox.record(EVENT));
    assertEquals(ErrorCode.NO_TRANSACTION, e.code());
    assertRows(0);
  }
}
