package org.svcmailbox.ejb.preflight;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.ejb.store.Database;
import org.svcmailbox.ejb.store.DatabaseTrouble;

/**
 * Connects to PostgreSQL once. Hibernate asks the database before any of our code runs in the
 * server, and fails with a page of stack trace.
 */
final class DatabaseCheck {
  private static final String URL = "MAILBOX_DB_URL";
  private static final String FORM = "jdbc:postgresql:";

  /** In seconds, as in the server, unless the URL has others. */
  private static final Map<String, String> TIMEOUTS =
      Map.of("connectTimeout", "5", "socketTimeout", "10");

  private DatabaseCheck() {}

  /**
   * Does nothing for the embedded database of a server that is alone.
   *
   * @param isNode whether the server is a node of a cluster
   * @throws StartException when the database cannot be used
   */
  static void require(Map<String, String> environment, boolean isNode) {
    if (!"postgresql".equals(environment.get("MAILBOX_DB_DRIVER"))) {
      if (isNode) {
        Database.SQLITE.requireShareable();
      }
      return;
    }
    String url = environment.getOrDefault(URL, "");
    if (!url.startsWith(FORM)) {
      throw new StartException(
          URL + " must begin with " + FORM + " for MAILBOX_DB_DRIVER=postgresql", true, null);
    }
    Properties properties = new Properties();
    properties.putAll(TIMEOUTS);
    properties.setProperty("user", environment.getOrDefault("MAILBOX_DB_USER", "mailbox"));
    properties.setProperty("password", environment.getOrDefault("MAILBOX_DB_PASSWORD", ""));
    try {
      DriverManager.getConnection(url, properties).close();
    } catch (SQLException e) {
      throw DatabaseTrouble.atStart(e);
    }
  }
}
