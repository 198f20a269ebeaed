package org.svcmailbox.ejb.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Checks that the database is configured to sync each commit; in amnesia, to write nothing. */
final class Durability {
  /** A query and its acceptable answers. */
  private record Demand(String question, List<String> answers) {}

  private static final List<Demand> IN_MEMORY =
      List.of(
          new Demand("select file from pragma_database_list where name = 'main'", List.of("")),
          new Demand("pragma journal_mode", List.of("memory", "off")),
          new Demand("pragma temp_store", List.of("2")));

  private Durability() {}

  /** Wrong settings, for operators. */
  static List<String> violations(DataSource source, Database database) throws SQLException {
    return violations(source, demands(database));
  }

  /** Files that would survive the process, for operators. */
  static List<String> traces(DataSource source, Database database) throws SQLException {
    return database == Database.SQLITE
        ? violations(source, IN_MEMORY)
        : List.of(database + " is not in this process");
  }

  private static List<String> violations(DataSource source, List<Demand> demands)
      throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (Demand demand : demands) {
        String answer = answer(statement, demand.question());
        if (!demand.answers().contains(answer)) {
          found.add(demand.question() + " says " + answer + ", needed is " + demand.answers());
        }
      }
    }
    return found;
  }

  private static List<Demand> demands(Database database) {
    return switch (database) {
      case SQLITE ->
          List.of(
              new Demand("pragma journal_mode", List.of("wal")),
              // FULL or EXTRA: in WAL mode NORMAL does not sync a commit.
              new Demand("pragma synchronous", List.of("2", "3")));
      case POSTGRESQL ->
          List.of(
              new Demand("show fsync", List.of("on")),
              new Demand("show full_page_writes", List.of("on")),
              new Demand(
                  "show synchronous_commit",
                  List.of("on", "local", "remote_write", "remote_apply")));
    };
  }

  private static String answer(Statement statement, String question) throws SQLException {
    try (ResultSet row = statement.executeQuery(question)) {
      row.next();
      return row.getString(1);
    }
  }
}
