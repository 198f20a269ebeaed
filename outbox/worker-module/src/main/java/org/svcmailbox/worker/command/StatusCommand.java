package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.Backlog;
import org.svcmailbox.outbox.admin.Backlogs;
import org.svcmailbox.outbox.jdbc.JdbcBacklogs;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;

/** Prints the backlogs of outbox and inbox. */
@Command(
    name = "status",
    description = "Prints how many rows wait in outbox and inbox or are dead, and since when.")
final class StatusCommand extends DatabaseCommand {
  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    Backlogs backlogs = new JdbcBacklogs(source);
    out.line(line("outbox", settings, backlogs.outbox()));
    out.line(line("parked", settings, backlogs.parked()));
    out.line(line("inbox", settings, backlogs.inbox()));
    out.line(line("dead", settings, backlogs.dead()));
    return ExitCode.DONE;
  }

  private static ObjectNode line(String name, WorkerSettings settings, Backlog backlog) {
    ObjectNode line =
        JsonLines.object()
            .put("backlog", name)
            .put("context", settings.context())
            .put("count", backlog.count());
    JsonLines.put(line, "oldest_at", backlog.oldestAt());
    return line;
  }
}
