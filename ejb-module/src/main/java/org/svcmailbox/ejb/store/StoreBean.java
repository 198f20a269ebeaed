package org.svcmailbox.ejb.store;

import static java.util.Objects.requireNonNull;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
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
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.Half;
import org.svcmailbox.core.health.StartFailure;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.broker.ArtemisMark;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerChoice;
import org.svcmailbox.ejb.pair.DatabaseMark;
import org.svcmailbox.ejb.pair.Pair;
import org.svcmailbox.ejb.pair.PairId;
import org.svcmailbox.ejb.settings.ProfileException;

/**
 * Opens the server's database once it is known to belong to the broker. Beans that use it depend on
 * this one, and start in steps. Its transactions work on any managed thread.
 */
@Singleton
@Startup
@DependsOn("SupervisorBean")
@TransactionManagement(TransactionManagementType.BEAN)
@Lock(LockType.READ)
public class StoreBean {
  private static final Logger LOG = System.getLogger(StoreBean.class.getName());
  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(10);

  /** Long enough for a server that drains, and for PostgreSQL to notice a machine that is gone. */
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(12);

  /** How long to wait for a running step to end; longer than one takes while the broker is away. */
  private static final Duration STEP_PATIENCE = Duration.ofSeconds(10);

  @PersistenceUnit(unitName = "mailbox")
  private EntityManagerFactory entityManagers;

  @Resource(name = "jdbc/mailbox")
  private DataSource source;

  // Not @Resource: Open Liberty would tie it to calls of this bean.
  @Inject private UserTransaction userTransaction;

  /** A server without a broker has no connection factory to inject. */
  @Resource private SessionContext context;

  @Resource private ManagedThreadFactory threads;

  @Inject private MailboxSettings settings;

  @EJB private MetricsService metrics;

  @EJB private Threads supervision;

  private @Nullable StartSteps steps;
  private @Nullable SupervisedThread waiting;
  private volatile @Nullable BrokerAccess access;
  private volatile @Nullable Transactions transactions;
  private ServerLock lock = ServerLock.OF_THE_BROKER;

  /** In amnesia the database ends with its last connection. */
  private @Nullable Connection keeper;

  @PostConstruct
  void start() {
    steps = new StartSteps(settings.broker().isPresent(), this::startWaiting, this::failed);
    steps().add(this::chooseBroker);
    steps().add(this::open);
  }

  private void chooseBroker() {
    access = BrokerChoice.of(settings, () -> (ConnectionFactory) context.lookup("jms/mailbox"));
    metrics.add(broker().state());
  }

  private void startWaiting() {
    SupervisedThread present = waiting;
    if (present == null) {
      waiting =
          supervision.start("mailbox-start", new Tasks("start"), threads, new Turns(steps()::turn));
    }
  }

  /**
   * Has the server's guard end the process, as it does after a failed deployment. The server logs a
   * failure of the deployment that does not explain itself.
   */
  private void failed(RuntimeException e) {
    if (!StartFailure.report(e) && waiting != null) {
      LOG.log(Level.ERROR, "The start failed", e);
    }
    ApplicationState.ended(Half.MAILBOX);
  }

  /** For beans that depend on this one, while they are being created. */
  public StartSteps steps() {
    return requireNonNull(steps);
  }

  /** After this, no step runs or begins. */
  public void endSteps() {
    SupervisedThread last = waiting;
    if (last != null) {
      last.end(STEP_PATIENCE);
    }
  }

  private void open() {
    try {
      transactions = openStores();
    } catch (SQLException | FlywayException e) {
      throw DatabaseTrouble.atStart(e);
    } finally {
      if (transactions == null) {
        letGo();
      }
    }
  }

  private Transactions openStores() throws SQLException {
    Database database = Database.of(source);
    requireProfile(database);
    lock = database.lock(source, settings.cluster().isPresent(), LOCK_PATIENCE);
    if (settings.amnesia().on()) {
      // Both stores belong to this process and end with it.
      Schema.migrate(source, database);
    } else if (settings.cluster().isPresent()) {
      StartLock.<SQLException>hold(source, () -> openPair(database));
    } else {
      openPair(database);
    }
    WriteGate gate = new WriteGate(database.writers(), WRITE_PATIENCE);
    return new Transactions(
        entityManagers, new JtaTransactionBoundary(userTransaction), source, database, gate, lock);
  }

  /** Migrating writes too, so the pair is checked first. */
  private void openPair(Database database) throws SQLException {
    try (ArtemisMark broker = new ArtemisMark(broker())) {
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
    endSteps();
    letGo();
  }

  private void letGo() {
    lock.close();
    try {
      if (keeper != null) {
        keeper.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The in-memory database cannot be closed", e);
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
      throw new StartException(
          "The database would lose what was answered: " + violations + ". Change its settings",
          true,
          null);
    }
  }

  /**
   * Runs {@code work} while no other node of the cluster starts; only for a node of a cluster.
   *
   * @throws UnavailableException if another node's start does not end
   */
  public void whileNoNodeStarts(Runnable work) {
    StartLock.<RuntimeException>hold(source, work::run);
  }

  public BrokerAccess broker() {
    return requireNonNull(access);
  }

  public Transactions transactions() {
    return requireNonNull(transactions);
  }
}
