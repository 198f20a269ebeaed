package org.svcmailbox.ejb.store;

import static java.util.Objects.requireNonNull;

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
import jakarta.jms.ConnectionFactory;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceUnit;
import jakarta.transaction.UserTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.ejb.broker.ArtemisMark;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.pair.DatabaseMark;
import org.svcmailbox.ejb.pair.Pair;
import org.svcmailbox.ejb.pair.PairException;
import org.svcmailbox.ejb.pair.PairId;
import org.svcmailbox.ejb.settings.ProfileException;

/**
 * Opens the server's database; beans that use it depend on this one. Its transactions work on any
 * managed thread.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
@Lock(LockType.READ)
public class StoreBean {
  private static final Logger LOG = System.getLogger(StoreBean.class.getName());
  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(10);

  /** Long enough for a server that drains, and for PostgreSQL to notice a machine that is gone. */
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(12);

  @PersistenceUnit(unitName = "mailbox")
  private EntityManagerFactory entityManagers;

  @Resource(name = "jdbc/mailbox")
  private DataSource source;

  @Resource(name = "jms/mailbox")
  private ConnectionFactory connectionFactory;

  @Resource private UserTransaction userTransaction;

  @Inject private MailboxSettings settings;

  private @Nullable Transactions transactions;
  private ServerLock lock = ServerLock.OF_THE_BROKER;

  /** In amnesia the database ends with its last connection. */
  private @Nullable Connection keeper;

  @PostConstruct
  void open() {
    try {
      transactions = openStores();
    } catch (DatabaseInUseException e) {
      logRefusal(e);
      throw e;
    } catch (PairException | ProfileException e) {
      ApplicationState.refused();
      logRefusal(e);
      throw e;
    } catch (SQLException e) {
      throw new IllegalStateException("The database of java:comp/env/jdbc/mailbox is away", e);
    } finally {
      if (transactions == null) {
        close();
      }
    }
  }

  /** One line: the server surrounds a failed deployment with a page of text. */
  private static void logRefusal(IllegalStateException refusal) {
    LOG.log(Level.ERROR, refusal.getMessage());
  }

  private Transactions openStores() throws SQLException {
    Database database = Database.of(source);
    requireProfile(database);
    lock = database.lock(source, LOCK_PATIENCE);
    if (settings.amnesia().on()) {
      // Both stores belong to this process and end with it.
      Schema.migrate(source, database);
    } else {
      openPair(database);
    }
    WriteGate gate = new WriteGate(database.writers(), WRITE_PATIENCE);
    return new Transactions(
        entityManagers, new JtaTransactionBoundary(userTransaction), source, database, gate, lock);
  }

  /** Migrating writes too, so the pair is checked first. */
  private void openPair(Database database) throws SQLException {
    BrokerAccess access =
        BrokerAccess.of(((ActiveMQConnectionFactory) connectionFactory).getServerLocator());
    try (ArtemisMark broker = new ArtemisMark(access)) {
      DatabaseMark mark = new DatabaseMark(source);
      mark.requireReadable();
      Pair pair = new Pair(mark, broker);
      PairId id = pair.require(settings.storeJoin());
      Schema.migrate(source, database);
      lock.claim();
      pair.mark(id);
    }
  }

  @PreDestroy
  void close() {
    lock.close();
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

  public Transactions transactions() {
    return requireNonNull(transactions);
  }
}
