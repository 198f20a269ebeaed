package org.svcmailbox.outbox.jdbc;

import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.inbox.DeadLetters;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxRepository;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.publish.OutboxStoreException;

/** A consumer's transaction that JTA commits or rolls back; the connection only takes part. */
final class JtaInboxTransaction implements InboxTransaction {
  private static final Logger LOG = System.getLogger(JtaInboxStore.class.getName());

  private final UserTransaction transactions;
  private final Connection connection;
  private final InboxTransaction inbox;
  private boolean hasEnded;

  /**
   * @param transactions the thread's, in which one has begun
   * @param connection takes part in it; closed at the end
   * @param inbox works on the connection; neither committed nor closed
   */
  JtaInboxTransaction(UserTransaction transactions, Connection connection, InboxTransaction inbox) {
    this.transactions = transactions;
    this.connection = connection;
    this.inbox = inbox;
  }

  @Override
  public InboxRepository messages() {
    return inbox.messages();
  }

  @Override
  public Optional<InboxMessage> message(MessageId id) {
    return inbox.message(id);
  }

  @Override
  public DeadLetters deadLetters() {
    return inbox.deadLetters();
  }

  @Override
  public Outbox outbox() {
    return inbox.outbox();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return inbox.unwrap(type);
  }

  @Override
  public void commit() {
    hasEnded = true;
    closeConnection();
    try {
      transactions.commit();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException e) {
      throw new OutboxStoreException("the inbox cannot be written", e);
    }
  }

  @Override
  public void close() {
    if (!hasEnded) {
      hasEnded = true;
      closeConnection();
      rollback(transactions);
    }
  }

  private void closeConnection() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The connection is lost", e);
    }
  }

  /** Rolls the thread's transaction back. If that fails, it ends by its timeout. */
  static void rollback(UserTransaction transactions) {
    try {
      transactions.rollback();
    } catch (SystemException | IllegalStateException e) {
      LOG.log(Level.WARNING, "A transaction of the inbox was not rolled back", e);
    }
  }
}
