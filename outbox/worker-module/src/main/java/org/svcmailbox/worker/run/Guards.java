package org.svcmailbox.worker.run;

import javax.sql.DataSource;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.MessageGuard;
import org.svcmailbox.outbox.jdbc.PostgresGuard;
import org.svcmailbox.worker.config.WorkerSettings;

/**
 * Keeps two copies of a message from being handled at the same time: among all processes on
 * PostgreSQL, within this process on SQLite.
 *
 * @param guard used by consumers
 */
public record Guards(MessageGuard guard) implements AutoCloseable {
  /** The guard that suits a database. */
  public static Guards of(WorkerSettings.Database database, DataSource source) {
    return new Guards(
        Connections.isPostgres(database) ? new PostgresGuard(source) : new LocalGuard());
  }

  @Override
  public void close() {
    if (guard instanceof PostgresGuard session) {
      session.close();
    }
  }
}
