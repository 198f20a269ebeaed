package org.svcmailbox.worker.run;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Optional;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.worker.config.Secret;
import org.svcmailbox.worker.config.WorkerSettings;

/** Opens the connections of a worker, or of one command. */
public final class Connections {
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

  /** A frozen database must not block a thread forever. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

  private Connections() {}

  /** The worker's pool. It opens no connection before one is requested. */
  public static HikariDataSource pool(WorkerSettings.Database database) {
    HikariConfig pool = unbounded(database);
    if (isPostgres(database)) {
      pool.addDataSourceProperty("socketTimeout", Long.toString(SOCKET_TIMEOUT.toSeconds()));
    }
    return new HikariDataSource(pool);
  }

  /** A pool for one command, whose statements may take as long as they need. */
  public static HikariDataSource forCommand(WorkerSettings.Database database) {
    HikariConfig pool = unbounded(database);
    pool.setMinimumIdle(0);
    return new HikariDataSource(pool);
  }

  private static HikariConfig unbounded(WorkerSettings.Database database) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("database");
    pool.setJdbcUrl(database.url());
    pool.setUsername(database.user());
    pool.setPassword(Optional.ofNullable(database.password()).map(Secret::value).orElse(null));
    pool.setMaximumPoolSize(database.pool());
    pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    pool.setInitializationFailTimeout(-1);
    if (isPostgres(database)) {
      pool.addDataSourceProperty("connectTimeout", Long.toString(CONNECTION_TIMEOUT.toSeconds()));
      pool.addDataSourceProperty("tcpKeepAlive", "true");
      pool.addDataSourceProperty("ApplicationName", "sea-mq-worker");
    } else {
      pool.addDataSourceProperty("journal_mode", "WAL");
      pool.addDataSourceProperty("synchronous", "FULL");
      pool.addDataSourceProperty("busy_timeout", Long.toString(CONNECTION_TIMEOUT.toMillis()));
      // A transaction that reads first could not become a writer while another one writes.
      pool.addDataSourceProperty("transaction_mode", "IMMEDIATE");
    }
    return pool;
  }

  static boolean isPostgres(WorkerSettings.Database database) {
    return database.url().startsWith("jdbc:postgresql:");
  }

  /** The client for the service's own calls. */
  public static HttpService service(WorkerSettings.Service service) {
    HttpService.Builder builder =
        HttpService.builder(service.url(), TokenSource.file(service.tokenFile()));
    return (service.allowPlainHttp() ? builder.allowPlainHttp() : builder).build();
  }
}
