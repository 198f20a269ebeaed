package org.svcmailbox.ejb.store;

import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Classifies database failures, however they are wrapped. */
public final class SqlStates {
  /** The SQL state of an integrity violation that this code found itself. */
  public static final String VIOLATION = "23000";

  /** Integrity constraint violations. */
  private static final String VIOLATION_CLASS = "23";

  /** Failures that recur with the same rows: violations, wrong data, checks of views, triggers. */
  private static final Set<String> REFUSED_CLASSES = Set.of(VIOLATION_CLASS, "22", "44", "P0");

  /** Connection exceptions; drivers use it for a silent server too. */
  private static final String CONNECTION_CLASS = "08";

  /** PostgreSQL: the server or the session is being shut down. */
  private static final String SHUTDOWN_CLASS = "57P0";

  /** The connection could not be made. */
  private static final String UNREACHABLE = CONNECTION_CLASS + "001";

  /** SQLite reports no SQL state. */
  private static final int SQLITE_CONSTRAINT = 19;

  /** SQLite: a constraint, a value that is too large, a value of another type. */
  private static final Set<Integer> SQLITE_REFUSED = Set.of(SQLITE_CONSTRAINT, 18, 20);

  /** Serialization failure, and PostgreSQL's deadlock. */
  private static final Set<String> ROLLED_BACK = Set.of("40001", "40P01");

  private static final int MAX_DEPTH = 20;

  private SqlStates() {}

  public static boolean isViolation(Throwable failure) {
    return isAny(failure, SqlStates::isViolationItself);
  }

  /** Whether the database refuses the rows themselves, so that repeating is of no use. */
  public static boolean isRefused(Throwable failure) {
    return isAny(failure, SqlStates::isRefusedItself);
  }

  /** Whether the transaction was rolled back in favour of another and may be retried. */
  static boolean isRolledBack(Throwable failure) {
    return isAny(failure, SqlStates::isRolledBackItself);
  }

  static boolean isDisconnected(Throwable failure) {
    return isAny(failure, SqlStates::isDisconnectedItself);
  }

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

  private static boolean isRefusedItself(SQLException failure) {
    String state = failure.getSQLState();
    return state == null
        ? SQLITE_REFUSED.contains(failure.getErrorCode())
        : REFUSED_CLASSES.stream().anyMatch(state::startsWith);
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
