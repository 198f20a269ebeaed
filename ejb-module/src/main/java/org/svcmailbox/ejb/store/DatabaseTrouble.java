package org.svcmailbox.ejb.store;

import static java.util.stream.Collectors.joining;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.StartException;

/** Tells operators what a failure of the database at the start means, by its SQLState. */
public final class DatabaseTrouble {
  /** A remedy, and whether no start can succeed before it. */
  private record Advice(String what, String remedy, boolean isFinal) {}

  private DatabaseTrouble() {}

  /** The failure of a start that the database failed; pools and Flyway wrap the cause. */
  public static StartException atStart(Throwable failure) {
    Throwable cause = innermost(failure);
    Advice advice = advice(cause instanceof SQLException sql ? sql.getSQLState() : null);
    return new StartException(
        "%s: %s. %s".formatted(advice.what(), line(cause), advice.remedy()),
        advice.isFinal(),
        failure);
  }

  private static Advice advice(@Nullable String sqlState) {
    String state = sqlState == null ? "" : sqlState;
    if (state.startsWith("28")) {
      return new Advice(
          "The database refuses MAILBOX_DB_USER",
          "Correct the user, its password (MAILBOX_DB_PASSWORD) or the database's access rules",
          true);
    }
    if (state.equals("3D000")) {
      return new Advice(
          "The database of MAILBOX_DB_URL does not exist",
          "Create it, or correct MAILBOX_DB_URL",
          true);
    }
    if (state.equals("42501") || state.equals("3F000")) {
      return new Advice(
          "MAILBOX_DB_USER may not create tables in the database",
          "Grant it a schema of its own with that right",
          true);
    }
    if (state.startsWith("08") || state.startsWith("57P")) {
      return new Advice(
          "The database does not answer",
          "Start it, or correct MAILBOX_DB_URL; then start this server again",
          false);
    }
    return new Advice(
        "The database cannot be used",
        "Look at the database and its log, then start this server again",
        false);
  }

  private static Throwable innermost(Throwable failure) {
    Throwable found = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException) {
        found = cause;
      }
    }
    return found;
  }

  /** Its message in one line, without the full stop. */
  private static String line(Throwable cause) {
    String line =
        String.valueOf(cause.getMessage()).lines().map(String::strip).collect(joining(" "));
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }
}
