package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.jdbc.JdbcOutboxAdmin;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublishListener;
import org.svcmailbox.outbox.publish.PublishOutcome;
import org.svcmailbox.outbox.publish.PublishOutcome.AlreadyPublished;
import org.svcmailbox.outbox.publish.PublishOutcome.Busy;
import org.svcmailbox.outbox.publish.PublishOutcome.Done;
import org.svcmailbox.outbox.publish.PublishOutcome.Failed;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.TopicPublishers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes one event out of order. */
@Command(
    name = "publish",
    description = {
      "Publishes one event now: out of its turn, also if it is parked or its topic paused.",
      "On SQLite a worker that runs keeps every event busy: stop it first."
    })
final class OutboxPublishCommand extends DatabaseCommand {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Mixin private OperatorOptions operator;

  @Parameters(paramLabel = "ID", converter = EventId.class, description = "The event.")
  private MessageId id;

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "20s",
      description = "How long to try while a publisher works on the event; by default 20s.")
  private Duration wait;

  /** Records whether the event was refused permanently. */
  private static final class Refusal implements PublishListener {
    private Optional<ErrorCode> code = Optional.empty();

    @Override
    public void parked(OutboxEvent event, ErrorCode why) {
      code = Optional.of(why);
    }
  }

  @Override
  ExitCode run(DataSource source, WorkerSettings settings, JsonLines out)
      throws InterruptedException {
    new JdbcOutboxAdmin(source).note("publish", id, operator.operator());
    Refusal refusal = new Refusal();
    try (JdbcOutboxStore store = new JdbcOutboxStore(source);
        TopicPublishers topics =
            new TopicPublishers(settings.service(), HttpConnections.builder().build())) {
      OutboxPublisher publisher =
          OutboxPublisher.builder(store, publishing(settings), settings.streams(), topics::of)
              .listener(refusal)
              .build();
      return tell(publish(publisher), refusal, out);
    }
  }

  /** The command also works for a worker that does not publish by itself. */
  private static PublisherSettings publishing(WorkerSettings settings) {
    return Optional.ofNullable(settings.publisher())
        .orElseGet(() -> PublisherSettings.of(settings.context()));
  }

  private PublishOutcome publish(OutboxPublisher publisher) throws InterruptedException {
    Patience patience = new Patience(MailboxClock.system(), wait);
    PublishOutcome outcome = publisher.publish(id);
    while (outcome instanceof Busy && patience.await(PAUSE)) {
      outcome = publisher.publish(id);
    }
    return outcome;
  }

  private ExitCode tell(PublishOutcome outcome, Refusal refusal, JsonLines out) {
    ObjectNode line = JsonLines.object().put("id", id.toString());
    if (outcome instanceof Done) {
      out.line(line.put("result", "published"));
      return ExitCode.DONE;
    }
    if (outcome instanceof AlreadyPublished before) {
      line.put("result", "already_published").put("published_at", before.publishedAt().toString());
      out.line(line);
      return ExitCode.NOT_DONE;
    }
    if (outcome instanceof Failed failed) {
      return tell(failed, refusal, line, out);
    }
    boolean isBusy = outcome instanceof Busy;
    out.line(line.put("result", isBusy ? "busy" : "unknown"));
    return isBusy ? ExitCode.UNAVAILABLE : ExitCode.NOT_DONE;
  }

  private static ExitCode tell(Failed failed, Refusal refusal, ObjectNode line, JsonLines out) {
    boolean isParked = refusal.code.isPresent();
    line.put("result", isParked ? "parked" : "failed");
    JsonLines.put(line, "code", refusal.code.orElse(null));
    out.line(line.put("error", failed.reason()));
    return isParked ? ExitCode.REFUSED : ExitCode.UNAVAILABLE;
  }
}
