package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.transaction.Status;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.publish.OutboxStoreException;

class JtaInboxTest extends JdbcInboxContract {
  private static final JdbcConnectionPool POOL =
      JdbcConnectionPool.create("jdbc:h2:mem:jta;DB_CLOSE_DELAY=-1", "sa", "");

  private final ThreadTransactions transactions = new ThreadTransactions(POOL);

  @AfterAll
  static void close() {
    POOL.dispose();
  }

  @AfterEach
  void noTransactionIsLeft() {
    assertEquals(Status.STATUS_NO_TRANSACTION, transactions.getStatus());
    assertEquals(0, POOL.getActiveConnections());
  }

  @Override
  protected DataSource source() {
    return POOL;
  }

  @Override
  protected InboxStore store() {
    return new JtaInboxStore(transactions.source(), transactions, clock);
  }

  @Test
  void aTransactionThatSomebodyMarkedIsNotCommitted() throws Exception {
    MessageId id = MessageId.next();
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      transaction.messages().insert(InboxMessage.received(id, "shop.event.paid.v1", clock.now()));
      transactions.setRollbackOnly();
      assertThrows(OutboxStoreException.class, transaction::commit);
    }
    assertEquals(Optional.empty(), find(id));
  }

  @Test
  void aTransactionOfTheCallerIsLeftAlone() throws Exception {
    transactions.begin();
    assertThrows(OutboxStoreException.class, () -> store().begin(CONSUMER));
    assertEquals(Status.STATUS_ACTIVE, transactions.getStatus());
    transactions.rollback();
  }

  @Test
  void aDatabaseThatIsAwayLeavesNoTransaction() {
    DataSource away =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  throw new SQLException("away");
                });
    assertThrows(
        OutboxStoreException.class,
        () -> new JtaInboxStore(away, transactions, clock).begin(CONSUMER));
  }
}
