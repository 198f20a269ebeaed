package org.svcmailbox.worker.command;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.admin.OutboxAdmin;
import org.svcmailbox.outbox.admin.OutboxAdmin.Filter;
import org.svcmailbox.outbox.admin.OutboxAdmin.Operator;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes parked events again. */
@Command(name = "retry", description = "Has parked events published again. Their attempts stay.")
final class OutboxRetryCommand extends DatabaseCommand {
  @Spec private CommandSpec spec;
  @Mixin private EventOptions events;
  @Mixin private OperatorOptions operator;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      converter = EventId.class,
      description = "One event.")
  private @Nullable MessageId id;

  @Option(names = "--all", description = "All that are parked.")
  private boolean all;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out) {
    int given = (id == null ? 0 : 1) + (all ? 1 : 0) + (events.isEmpty() ? 0 : 1);
    if (given != 1) {
      throw new ParameterException(
          spec.commandLine(), "give one of ID, --all, or --error and --older-than");
    }
    OutboxAdmin admin = new JdbcOutboxAdmin(source);
    int retried =
        id == null
            ? all(admin, events.filter(), operator.operator(), InstantSource.system())
            : admin.retry(id, operator.operator()) ? 1 : 0;
    out.line(JsonLines.object().put("retried", retried));
    return retried == 0 ? ExitCode.NOT_DONE : ExitCode.DONE;
  }

  /**
   * Leaves out events that a publisher parks again meanwhile, because otherwise it would never end.
   */
  static int all(OutboxAdmin admin, Filter filter, Operator operator, InstantSource clock) {
    Instant start = clock.instant();
    int all = 0;
    int some = OutboxAdmin.MAX_EVENTS;
    while (some == OutboxAdmin.MAX_EVENTS) {
      Duration age = filter.olderThan().plus(Duration.between(start, clock.instant()));
      some = admin.retry(new Filter(filter.code(), filter.error(), age), operator);
      all += some;
    }
    return all;
  }
}
