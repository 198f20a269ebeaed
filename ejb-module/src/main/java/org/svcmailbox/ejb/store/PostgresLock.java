package org.svcmailbox.ejb.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * PostgreSQL's advisory lock, held by a session of its own. Its holder records a name: if another
 * server held it meanwhile, this server's memory of the database is stale.
 */
final class PostgresLock implements ServerLock {
  private static final Logger LOG = System.getLogger(PostgresLock.class.getName());

  /** An unused number; small, so that {@code pg_locks} shows it as it is. */
  private static final int KEY = 702_219_045;

  /** The name of all nodes of a cluster together: what one writes, the others know. */
  private static final String CLUSTER = "cluster";

  private static final String OURS =
      " from pg_locks l where l.locktype = 'advisory' and l.classid = 0 and l.objsubid = 1"
          + " and l.database = (select oid from pg_database where datname = current_database())"
          + " and l.objid = "
          + KEY;

  /** Asks the same session: a pooler may switch sessions between transactions. */
  private static final String HELD =
      "select exists(select 1" + OURS + " and l.pid = pg_backend_pid())";

  private static final String HOLDER =
      "select 'PostgreSQL session ' || l.pid || ' from ' || coalesce((select host(a.client_addr)"
          + " from pg_stat_activity a where a.pid = l.pid), 'an address it does not show')"
          + OURS;

  /** Makes PostgreSQL notice within seconds that a client machine is gone. */
  private static final String KEEP_ALIVE =
      "set tcp_keepalives_idle = 3; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2";

  private static final long LOOK_AGAIN = Duration.ofMillis(500).toNanos();

  private final DataSource source;
  private final String suffix;
  private final String name;
  private final AtomicLong doubts = new AtomicLong();
  private @Nullable Connection session;
  private boolean ended;

  private final AtomicLong retaken = new AtomicLong();

  /** The value of the doubt counter when the lock was last verified. */
  private volatile long verified = -1;

  private PostgresLock(DataSource source, boolean isShared) {
    this.source = source;
    this.suffix = (isShared ? "_shared(" : "(") + KEY + ")";
    this.name = isShared ? CLUSTER : UUID.randomUUID().toString();
  }

  /**
   * Takes the lock.
   *
   * @param isShared whether other nodes of a cluster may have it too, but no server that is alone
   * @param patience how long to wait for a server that is stopping
   * @throws DatabaseInUseException when another server keeps it
   */
  static PostgresLock acquire(DataSource source, boolean isShared, Duration patience)
      throws SQLException {
    PostgresLock lock = new PostgresLock(source, isShared);
    long until = System.nanoTime() + patience.toNanos();
    while (!lock.take()) {
      if (System.nanoTime() - until >= 0) {
        throw lock.inUse();
      }
      LockSupport.parkNanos(LOOK_AGAIN);
    }
    lock.verified = 0;
    return lock;
  }

  private DatabaseInUseException inUse() throws SQLException {
    return new DatabaseInUseException(
        ("Another server has this database (%s), and nothing was changed. Stop that server; if its"
                + " machine is gone, end its session with pg_terminate_backend, and start this one"
                + " again")
            .formatted(holder()));
  }

  private String holder() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return ask(connection, HOLDER, "a session that has just ended");
    }
  }

  private boolean take() throws SQLException {
    Connection connection = source.getConnection();
    boolean isTaken = false;
    try {
      isTaken = ask(connection, "select pg_try_advisory_lock" + suffix, "f").equals("t");
      if (isTaken) {
        execute(connection, KEEP_ALIVE);
        session = connection;
      }
    } finally {
      if (!isTaken) {
        connection.close();
      }
    }
    return isTaken;
  }

  @Override
  public void claim() throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement update =
            connection.prepareStatement("update store_identity set holder = ?")) {
      update.setString(1, name);
      update.executeUpdate();
    }
  }

  @Override
  public boolean isCertain() {
    return verified == doubts.get();
  }

  @Override
  public void doubt() {
    doubts.incrementAndGet();
  }

  @Override
  public synchronized void verify() throws SQLException {
    if (ended) {
      throw new UnavailableException("the server is ending");
    }
    Connection present = session;
    if (present == null) {
      long before = doubts.incrementAndGet();
      takeAgain();
      verified = before;
    } else {
      long before = doubts.get();
      requireHeld(present);
      verified = before;
    }
  }

  /** A lost lock is taken by the next check: the database may report its end late. */
  private void requireHeld(Connection present) throws SQLException {
    boolean isHeld = false;
    try {
      isHeld = ask(present, HELD, "f").equals("t");
    } finally {
      if (!isHeld) {
        LOG.log(Level.DEBUG, "The lock of the database was lost with its session");
        giveBack();
      }
    }
    if (!isHeld) {
      throw new UnavailableException("the lock of the database is not its session's any more");
    }
  }

  private void takeAgain() throws SQLException {
    if (!take()) {
      throw new UnavailableException("another server has the database: " + holder());
    }
    boolean isOurs = false;
    try {
      isOurs = lastHolder().equals(name);
    } finally {
      if (!isOurs) {
        giveBack();
      }
    }
    if (!isOurs) {
      throw new UnavailableException(
          "another server had the database meanwhile, so what this one knows is out of date;"
              + " restart it");
    }
    retaken.incrementAndGet();
    LOG.log(Level.DEBUG, "The database is locked for this server again");
  }

  @Override
  public long retaken() {
    return retaken.get();
  }

  private String lastHolder() throws SQLException {
    try (Connection connection = source.getConnection()) {
      return ask(connection, "select holder from store_identity", "");
    }
  }

  @Override
  public synchronized void close() {
    ended = true;
    giveBack();
  }

  private void giveBack() {
    doubt();
    Connection present = session;
    session = null;
    if (present == null) {
      return;
    }
    try (present) {
      // The pool may keep the connection, and the lock with it.
      execute(present, "select pg_advisory_unlock" + suffix);
      execute(present, "reset all");
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "The session of the lock is gone", e);
    }
  }

  private static String ask(Connection connection, String question, String otherwise)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(question)) {
      String first = answer.next() ? answer.getString(1) : null;
      return first == null ? otherwise : first;
    }
  }

  private static void execute(Connection connection, String statement) throws SQLException {
    try (Statement executed = connection.createStatement()) {
      executed.execute(statement);
    }
  }
}
