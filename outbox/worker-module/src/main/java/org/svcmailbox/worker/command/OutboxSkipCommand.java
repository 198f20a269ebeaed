package org.svcmailbox.worker.command;

import javax.sql.DataSource;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Gives up a parked event. */
@Command(
    name = "skip",
    description =
        "Moves a parked event to the audit. It is never published; its aggregate goes on.")
final class OutboxSkipCommand extends DatabaseCommand {
  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The event.")
  private MessageId id;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    boolean skipped = new JdbcOutboxAdmin(source).skip(id, operator.operator());
    out.line(JsonLines.object().put("skipped", skipped));
    return skipped ? ExitCode.DONE : ExitCode.NOT_DONE;
  }
}
