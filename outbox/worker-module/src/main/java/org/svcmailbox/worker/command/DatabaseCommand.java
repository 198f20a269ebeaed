package org.svcmailbox.worker.command;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Connections;

/** A command that needs only the database. */
abstract class DatabaseCommand extends SubCommand {
  abstract ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) throws Exception;

  @Override
  final ExitCode run(WorkerSettings settings, JsonLines out) throws Exception {
    try (HikariDataSource source = Connections.forCommand(settings.database())) {
      return run(source, settings, out);
    }
  }
}
