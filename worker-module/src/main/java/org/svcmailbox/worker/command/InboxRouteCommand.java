package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.InboxCommands;
import org.svcmailbox.outbox.inbox.InboxMessage;
import org.svcmailbox.outbox.inbox.InboxStore;
import org.svcmailbox.outbox.inbox.InboxTransaction;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.RouteOutcome;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a message a dead letter. */
@Command(
    name = "route",
    description = {
      "Makes a message that is not processed a dead letter.",
      "A consumer that receives it later gives it to the dead letters of the service."
    })
final class InboxRouteCommand extends DatabaseCommand {
  private static final EventHandler NONE =
      (type, payload) -> {
        throw new IllegalStateException("routing calls no handler");
      };

  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The message.")
  private MessageId id;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why it cannot be handled; the dead letter has it.")
  private String reason;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    InboxStore store = new JdbcInboxStore(source);
    RouteOutcome outcome =
        subject(store).map(subject -> route(source, store, subject)).orElse(RouteOutcome.UNKNOWN);
    ObjectNode line = JsonLines.object().put("id", id.toString());
    out.line(line.put("result", outcome.name().toLowerCase(Locale.ROOT)));
    return outcome == RouteOutcome.ROUTED ? ExitCode.DONE : ExitCode.NOT_DONE;
  }

  private Optional<EventSubject> subject(InboxStore store) {
    try (InboxTransaction transaction = store.begin()) {
      return transaction.message(id).map(InboxMessage::subject).map(EventSubject::new);
    }
  }

  private RouteOutcome route(DataSource source, InboxStore store, EventSubject subject) {
    new JdbcOutboxAdmin(source).note("route", id, operator.operator());
    return new InboxCommands(store, NONE, new LocalGuard(), MailboxClock.system())
        .route(id, reason, subject);
  }
}
