package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints unpublished events. */
@Command(
    name = "list",
    description = "Prints the events that are not published, oldest first, at most 1,000.")
final class OutboxListCommand extends DatabaseCommand {
  @Mixin private EventOptions events;

  @Option(names = "--parked", description = "Only those that wait for an operator.")
  private boolean parked;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    OutboxAdmin admin = new JdbcOutboxAdmin(source);
    if (parked) {
      admin
          .parked(events.filter())
          .forEach(one -> out.line(line(one.event(), one.code(), one.error())));
    } else {
      admin
          .unpublished(events.filter())
          .forEach(
              one ->
                  out.line(line(one.event(), one.code().orElse(null), one.event().publishError())));
    }
    return ExitCode.DONE;
  }

  private static ObjectNode line(
      OutboxEvent event, @Nullable ErrorCode code, @Nullable String error) {
    ObjectNode line =
        JsonLines.object()
            .put("id", event.messageId().toString())
            .put("aggregate", event.aggregate())
            .put("event_type", event.eventType())
            .put("event_version", event.eventVersion())
            .put("occurred_at", event.occurredAt().toString())
            .put("attempts", event.publishAttempts())
            .put("parked", code != null);
    JsonLines.put(line, "code", code);
    JsonLines.put(line, "error", error);
    JsonLines.put(line, "correlation_id", event.correlationId());
    JsonLines.put(line, "causation_id", event.causationId());
    return line;
  }
}
