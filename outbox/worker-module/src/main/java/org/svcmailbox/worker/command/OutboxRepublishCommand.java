package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import javax.sql.DataSource;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes an event again. */
@Command(
    name = "republish",
    description = {
      "Has a published event published once more.",
      "An inbox that has handled it skips it, unless it gets a new id."
    })
final class OutboxRepublishCommand extends DatabaseCommand {
  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The event.")
  private MessageId id;

  @Option(names = "--new-id", description = "As an event of its own, which every inbox handles.")
  private boolean newId;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    OutboxAdmin admin = new JdbcOutboxAdmin(source);
    Optional<MessageId> published =
        newId
            ? admin.republishAsNew(id, operator.operator())
            : Optional.of(id).filter(event -> admin.republish(event, operator.operator()));
    ObjectNode line = JsonLines.object().put("republished", published.isPresent());
    JsonLines.put(line, "id", published.orElse(null));
    if (published.isPresent() && !newId) {
      line.put("hint", "an inbox that has handled it skips it; --new-id has every inbox handle it");
    }
    out.line(line);
    return published.isPresent() ? ExitCode.DONE : ExitCode.NOT_DONE;
  }
}
