package org.svcmailbox.ejb.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells a violated key from every other failure, whatever wraps it. */
public final class Violations {
  /** SQL's class of integrity constraint violations. */
  private static final String STATE_CLASS = "23";

  /** SQLITE_CONSTRAINT; SQLite gives no SQL state. */
  private static final int SQLITE_CODE = 19;

  private static final int MAX_DEPTH = 20;

  private Violations() {}

  /** Whether a constraint of the database is behind {@code failure}. */
  public static boolean isIn(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause instanceof SQLException sql && isViolation(sql)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isViolation(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? failure.getErrorCode() == SQLITE_CODE : state.startsWith(STATE_CLASS);
  }
}
