package org.svcmailbox.ejb.store;

import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a database said had gone wrong, whatever its answer was wrapped in. */
public final class SqlStates {
  /** SQL's class of integrity constraint violations. */
  private static final String VIOLATION_CLASS = "23";

  /** SQL's class of connection exceptions; to a driver, a server that is silent is one too. */
  private static final String CONNECTION_CLASS = "08";

  /** PostgreSQL's states for a server, or one session of it, that is being shut down. */
  private static final String SHUTDOWN_CLASS = "57P0";

  /** SQL's state for a connection that could not be made. */
  private static final String UNREACHABLE = CONNECTION_CLASS + "001";

  /** SQLITE_CONSTRAINT; SQLite gives no SQL state. */
  private static final int SQLITE_CONSTRAINT = 19;

  /** Serialization failure, and PostgreSQL's deadlock. */
  private static final Set<String> ROLLED_BACK = Set.of("40001", "40P01");

  private static final int MAX_DEPTH = 20;

  private SqlStates() {}

  /** Whether a constraint of the database is behind {@code failure}. */
  public static boolean isViolation(Throwable failure) {
    return isAny(failure, SqlStates::isViolationItself);
  }

  /** Whether the database undid the transaction in favour of another: it may be tried again. */
  static boolean isRolledBack(Throwable failure) {
    return isAny(failure, SqlStates::isRolledBackItself);
  }

  /** Whether the connection to the database was lost, or could not be made. */
  static boolean isDisconnected(Throwable failure) {
    return isAny(failure, SqlStates::isDisconnectedItself);
  }

  /** Whether no connection to the database could be made. */
  static boolean isUnreachable(Throwable failure) {
    return isAny(failure, sql -> UNREACHABLE.equals(sql.getSQLState()));
  }

  private static boolean isDisconnectedItself(SQLException failure) {
    String state = failure.getSQLState();
    return state != null
        && (state.startsWith(CONNECTION_CLASS) || state.startsWith(SHUTDOWN_CLASS));
  }

  private static boolean isRolledBackItself(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && ROLLED_BACK.contains(state);
  }

  private static boolean isViolationItself(SQLException failure) {
    String state = failure.getSQLState();
    return state == null
        ? failure.getErrorCode() == SQLITE_CONSTRAINT
        : state.startsWith(VIOLATION_CLASS);
  }

  private static boolean isAny(Throwable failure, Predicate<SQLException> wanted) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof SQLException sql && wanted.test(sql)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
