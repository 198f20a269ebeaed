package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.OutboxAdmin.Parked;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints parked events. */
@Command(name = "list", description = "Prints the events that wait for an operator, oldest first.")
final class OutboxListCommand extends DatabaseCommand {
  @Mixin private ParkedOptions parked;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    new JdbcOutboxAdmin(source).parked(parked.filter()).forEach(event -> out.line(line(event)));
    return ExitCode.DONE;
  }

  private static ObjectNode line(Parked parked) {
    OutboxEvent event = parked.event();
    ObjectNode line =
        JsonLines.object()
            .put("id", event.messageId().toString())
            .put("aggregate", event.aggregate())
            .put("event_type", event.eventType())
            .put("event_version", event.eventVersion())
            .put("occurred_at", event.occurredAt().toString())
            .put("attempts", event.publishAttempts())
            .put("code", parked.code().name())
            .put("error", parked.error());
    JsonLines.put(line, "correlation_id", event.correlationId());
    JsonLines.put(line, "causation_id", event.causationId());
    return line;
  }
}
