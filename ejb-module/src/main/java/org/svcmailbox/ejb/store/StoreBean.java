package org.svcmailbox.ejb.store;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceUnit;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.ejb.settings.ProfileException;

/**
 * The server's database, ready for use: what needs it depends on this bean. The transactions it
 * hands out begin and end by themselves and may be used from any managed thread.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
@Lock(LockType.READ)
public class StoreBean {
  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(10);

  @PersistenceUnit(unitName = "mailbox")
  private EntityManagerFactory entityManagers;

  @Resource(name = "jdbc/mailbox")
  private DataSource source;

  @Resource private UserTransaction userTransaction;

  @Inject private MailboxSettings settings;

  private Transactions transactions;

  /** In amnesia the database ends with its last connection. */
  private @Nullable Connection keeper;

  @PostConstruct
  void open() {
    try {
      Database database = Database.of(source);
      requireProfile(database);
      Schema.migrate(source, database);
      WriteGate gate = new WriteGate(database.writers(), WRITE_PATIENCE);
      transactions =
          new Transactions(
              entityManagers, new JtaBoundary(userTransaction), source, database, gate);
    } catch (SQLException e) {
      throw new IllegalStateException("The database of java:comp/env/jdbc/mailbox is away", e);
    }
  }

  @PreDestroy
  void close() {
    try {
      if (keeper != null) {
        keeper.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The database in memory cannot be let go of", e);
    }
  }

  private void requireProfile(Database database) throws SQLException {
    if (settings.amnesia().on()) {
      requireAmnesia(database);
    } else {
      requireDurability(database);
    }
  }

  private void requireAmnesia(Database database) throws SQLException {
    List<String> traces = Durability.traces(source, database);
    if (!traces.isEmpty()) {
      throw new ProfileException("In amnesia the database must be in memory only: " + traces);
    }
    keeper = source.getConnection();
  }

  private void requireDurability(Database database) throws SQLException {
    List<String> violations = Durability.violations(source, database);
    if (!violations.isEmpty()) {
      throw new IllegalStateException("The database would lose what was answered: " + violations);
    }
  }

  /** The transactions of the mailbox's database. */
  public Transactions transactions() {
    return transactions;
  }
}
