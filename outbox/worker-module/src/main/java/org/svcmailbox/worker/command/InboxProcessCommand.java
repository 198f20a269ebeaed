package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.http.HttpEventHandler;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.InboxCommands;
import org.svcmailbox.outbox.jdbc.JdbcInboxStore;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Guards;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Processes one message outside its topic. */
@Command(
    name = "process",
    description = {
      "Has the handler of the subject's consumer handle one message, without its topic.",
      "A processed message is skipped; a dead one is handled again."
    })
final class InboxProcessCommand extends DatabaseCommand {
  @Spec private CommandSpec spec;
  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The event's id.")
  private MessageId id;

  @Option(
      names = "--subject",
      required = true,
      paramLabel = "SUBJECT",
      description = "What it was published under.")
  private EventSubject subject;

  @Option(
      names = "--payload",
      required = true,
      paramLabel = "FILE",
      description = "Its JSON, at most 512 KiB; /dev/stdin for standard input.")
  private Path payload;

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      description = "The consumer, if several of this worker subscribe to the subject.")
  private @Nullable String consumer;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out)
      throws IOException, InterruptedException {
    ConsumerSettings handling = consumer(settings);
    HttpEventHandler handler = handling.eventHandler();
    Payload json = PayloadFile.read(payload);
    new JdbcOutboxAdmin(source).note("process", id, operator.operator());
    try (Guards guards = Guards.of(settings.database(), source)) {
      Handled handled =
          new InboxCommands(
                  new JdbcInboxStore(source),
                  handler,
                  guards.guard(),
                  handling.durable(),
                  MailboxClock.system())
              .process(id, subject, json);
      ObjectNode line = JsonLines.object().put("id", id.toString());
      out.line(line.put("result", handled.name().toLowerCase(Locale.ROOT)));
      return code(handled);
    }
  }

  private ConsumerSettings consumer(WorkerSettings settings) {
    List<ConsumerSettings> subscribers =
        settings.inbox().consumers().stream()
            .filter(one -> consumer == null || one.durable().equals(consumer))
            .filter(one -> one.subscribesTo(subject.value()))
            .toList();
    if (subscribers.size() == 1) {
      return subscribers.get(0);
    }
    throw new ParameterException(
        spec.commandLine(),
        subscribers.isEmpty()
            ? "no consumer of this worker subscribes to " + subject
            : ConsumerChoice.needed(subscribers.stream().map(ConsumerSettings::durable)));
  }

  private static ExitCode code(Handled handled) {
    return switch (handled) {
      case PROCESSED, ALREADY_PROCESSED -> ExitCode.DONE;
      case DUPLICATE -> ExitCode.NOT_DONE;
      case DEAD -> ExitCode.REFUSED;
      case RETRY, BUSY -> ExitCode.UNAVAILABLE;
    };
  }
}
