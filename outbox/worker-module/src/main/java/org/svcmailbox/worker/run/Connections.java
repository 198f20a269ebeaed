package org.svcmailbox.worker.run;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Optional;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.worker.config.Secret;
import org.svcmailbox.worker.config.WorkerSettings;

/** Opens what a worker, or one command of an operator, is connected to. */
public final class Connections {
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

  /** A database that is frozen must not hold a thread for ever. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

  private Connections() {}

  /** The worker's pool. Opens no connection before the first is asked for. */
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
      // A transaction that reads first could not become a writer beside another one.
      pool.addDataSourceProperty("transaction_mode", "IMMEDIATE");
    }
    return pool;
  }

  static boolean isPostgres(WorkerSettings.Database database) {
    return database.url().startsWith("jdbc:postgresql:");
  }

  /** The service's own calls. */
  public static HttpService service(WorkerSettings.Service service) {
    HttpService.Builder builder =
        HttpService.builder(service.url(), TokenSource.file(service.tokenFile()));
    return (service.allowPlainHttp() ? builder.allowPlainHttp() : builder).build();
  }
}
