package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.api.FlywayException;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.outbox.jdbc.OutboxSchema;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.probe.Readiness;
import org.svcmailbox.worker.run.Connections;
import picocli.CommandLine.Command;

/** Looks whether a worker could run. */
@Command(
    name = "check",
    description = {
      "Checks settings, database, service, topics and handlers, and changes nothing.",
      "Topics are compared if the capability has the right peek."
    })
final class CheckCommand extends SubCommand {
  @Override
  ExitCode run(WorkerSettings settings, JsonLines out) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("settings", "ok");
    try (HikariDataSource source = Connections.forCommand(settings.database());
        HttpService service = Connections.service(settings.service())) {
      parts.putAll(new Readiness(settings, source).parts());
      parts.put("tables", tables(source));
      if ("ok".equals(parts.get("service"))) {
        for (ConsumerSettings consumer : settings.streams().consumers()) {
          parts.put("topic " + consumer.durable(), topic(service, consumer));
        }
      }
    }
    parts.forEach((part, status) -> out.line(line(part, status)));
    return Readiness.isReady(parts) ? ExitCode.DONE : ExitCode.NOT_DONE;
  }

  private static ObjectNode line(String part, String status) {
    return JsonLines.object().put("part", part).put("status", status);
  }

  private static String tables(HikariDataSource source) {
    try {
      int pending = OutboxSchema.pending(source);
      return pending == 0 ? "ok" : pending + " migrations are missing: run migrate";
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
      // The capability of a worker needs no right to look.
      return "ok";
    } catch (MailboxException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
