package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.outbox.publish.OutboxHistory;
import org.svcmailbox.outbox.publish.Replay;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.TopicPublishers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends past events to a new consumer. */
@Command(
    name = "replay",
    description = {
      "Sends published events to one topic once more: the history for a new consumer.",
      "Begin when every worker knows the topic. Prints a line after up to 1,000 events, and one at"
          + " the end; a replay since its resume_at goes on there."
    })
final class OutboxReplayCommand extends DatabaseCommand {
  @Spec private CommandSpec spec;
  @Mixin private OperatorOptions operator;

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "DURABLE",
      description = "The consumer; it gets the events of its subjects.")
  private String topic;

  @Option(
      names = "--since",
      required = true,
      paramLabel = "TIME",
      description = "Events that were published from then on, such as 2026-11-01T00:00:00Z.")
  private Instant since;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = "How long to try while topic or database is away; by default 5m.")
  private Duration wait;

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out)
      throws InterruptedException {
    if (settings.streams().consumer(topic).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "the streams' file has no consumer " + topic);
    }
    OutboxHistory history = new JdbcOutboxAdmin(source).replay(topic, since, operator.operator());
    try (TopicPublishers topics =
        new TopicPublishers(settings.service(), HttpConnections.builder().build())) {
      Replay replay =
          new Replay(
              history,
              settings.context(),
              subject -> settings.streams().topics(subject).contains(topic),
              topics.of(topic),
              MailboxClock.system());
      return run(replay, out);
    }
  }

  private ExitCode run(Replay replay, JsonLines out) throws InterruptedException {
    Patience patience = new Patience(MailboxClock.system(), wait);
    Optional<RuntimeException> failure =
        new PatientReplay(replay::step, patience, () -> out.line(line(replay, false))).run();
    ObjectNode end = line(replay, failure.isEmpty());
    JsonLines.put(end, "error", failure.map(Throwable::getMessage).orElse(null));
    out.line(end);
    if (failure.isPresent()) {
      return ExitCode.UNAVAILABLE;
    }
    return replay.refused() == 0 ? ExitCode.DONE : ExitCode.NOT_DONE;
  }

  private ObjectNode line(Replay replay, boolean isDone) {
    ObjectNode line =
        JsonLines.object()
            .put("topic", topic)
            .put("sent", replay.sent())
            .put("refused", replay.refused())
            .put("done", isDone);
    JsonLines.put(line, "resume_at", replay.resumeAt().orElse(since));
    return line;
  }
}
