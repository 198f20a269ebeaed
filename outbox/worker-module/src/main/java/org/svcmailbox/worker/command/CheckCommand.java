package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.api.FlywayException;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.route.SubjectFilter;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.probe.Readiness;
import org.svcmailbox.worker.run.Connections;
import picocli.CommandLine.Command;

/** Checks whether a worker could run. */
@Command(
    name = "check",
    description = {
      "Checks settings, database, service, topics and handlers, and changes nothing.",
      "Topics are compared if the capability has the right peek."
    })
final class CheckCommand extends SubCommand {
  private static final String NOT_COMPARED = "not compared: the capability lacks the right peek";

  @Override
  ExitCode run(WorkerSettings settings, JsonLines out) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("settings", "ok");
    parts.put("context", context(settings));
    try (HikariDataSource source = Connections.forCommand(settings.database());
        HttpService service = Connections.service(settings.service())) {
      parts.putAll(new Readiness(settings, source, consumer -> false).parts());
      parts.put("tables", tables(source));
      if ("ok".equals(parts.get("service"))) {
        for (ConsumerSettings consumer : settings.streams().consumers()) {
          parts.put("topic " + consumer.durable(), topic(service, consumer));
        }
      }
    }
    parts.forEach((part, status) -> out.line(line(part, status)));
    return parts.values().stream().allMatch(CheckCommand::isWell)
        ? ExitCode.DONE
        : ExitCode.NOT_DONE;
  }

  /**
   * A topic that cannot be compared is not a failure, because a worker needs no right to read
   * topics.
   */
  private static ObjectNode line(String part, String status) {
    ObjectNode line = JsonLines.object().put("part", part);
    return status.equals(NOT_COMPARED)
        ? line.put("status", "ok").put("note", status)
        : line.put("status", status);
  }

  private static boolean isWell(String status) {
    return status.equals("ok") || status.equals(NOT_COMPARED);
  }

  /** Checks the context: events of a context that no stream has would be parked. */
  private static String context(WorkerSettings settings) {
    String events = settings.context() + ".event.>";
    String news = settings.context() + ".dlq.>";
    return settings.publisher() == null
            || settings.streams().has(new SubjectFilter(events))
            || settings.streams().has(new SubjectFilter(news))
        ? "ok"
        : "no stream has subjects of context %s (%s): correct it, or set publisher.enabled = false"
            .formatted(settings.context(), events);
  }

  private static String tables(HikariDataSource source) {
    try {
      return OutboxSchema.pending(source) == 0 ? "ok" : "not up to date: run migrate";
    } catch (OutboxStoreException | FlywayException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String topic(HttpService service, ConsumerSettings consumer) {
    try {
      List<String> differences =
          TopicSettings.differences(consumer, service.get(TopicSettings.path(consumer)));
      return differences.isEmpty() ? "ok" : String.join("; ", differences) + ": run apply";
    } catch (AccessDeniedException e) {
      return NOT_COMPARED;
    } catch (MailboxNotFoundException e) {
      return "is missing: run apply";
    } catch (MailboxException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
