package org.svcmailbox.worker.command;

import javax.sql.DataSource;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;

/** Migrates the tables to the current version. */
@Command(name = "migrate", description = "Creates the tables, and brings them up to date.")
final class MigrateCommand extends DatabaseCommand {
  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    out.line(JsonLines.object().put("migrations", OutboxSchema.migrate(source)));
    return ExitCode.DONE;
  }
}
