package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.admin.InboxAdmin.Listed;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.inbox.EventHandler;
import org.svcmailbox.outbox.inbox.InboxCommands;
import org.svcmailbox.outbox.inbox.RouteOutcome;
import org.svcmailbox.outbox.jdbc.JdbcInboxAdmin;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Guards;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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

  @Spec private CommandSpec spec;
  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The message.")
  private MessageId id;

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why it cannot be handled; the dead letter has it.")
  private String reason;

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      description = "The consumer, if several have received the message.")
  private @Nullable String consumer;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    List<Listed> received =
        new JdbcInboxAdmin(source)
            .find(id).stream()
                .filter(
                    one -> consumer == null || one.consumer().stream().allMatch(consumer::equals))
                .toList();
    if (received.size() > 1) {
      throw new ParameterException(
          spec.commandLine(),
          ConsumerChoice.needed(received.stream().flatMap(one -> one.consumer().stream())));
    }
    RouteOutcome outcome =
        received.isEmpty() ? RouteOutcome.UNKNOWN : route(source, settings, received.get(0));
    ObjectNode line = JsonLines.object().put("id", id.toString());
    out.line(line.put("result", outcome.name().toLowerCase(Locale.ROOT)));
    return code(outcome);
  }

  private static ExitCode code(RouteOutcome outcome) {
    return switch (outcome) {
      case ROUTED -> ExitCode.DONE;
      case BUSY -> ExitCode.UNAVAILABLE;
      case ALREADY_ROUTED, PROCESSED, UNKNOWN -> ExitCode.NOT_DONE;
    };
  }

  private RouteOutcome route(DataSource source, WorkerSettings settings, Listed received) {
    EventSubject subject = new EventSubject(received.message().subject());
    String name = received.consumer().orElseGet(() -> subscriber(settings, subject));
    new JdbcOutboxAdmin(source).note("route", id, operator.operator());
    try (Guards guards = Guards.of(settings.database(), source)) {
      return new InboxCommands(
              new JdbcInboxStore(source), NONE, guards.guard(), name, MailboxClock.system())
          .route(id, reason, subject);
    }
  }

  /** A message from before consumers had names can be changed on behalf of any consumer. */
  private String subscriber(WorkerSettings settings, EventSubject subject) {
    return settings.streams().topics(subject).stream()
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(spec.commandLine(), "no consumer subscribes to " + subject));
  }
}
