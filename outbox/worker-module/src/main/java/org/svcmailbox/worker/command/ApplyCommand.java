package org.svcmailbox.worker.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.worker.config.ConsumerSettings;
import org.svcmailbox.worker.config.WorkerSettings;
import org.svcmailbox.worker.run.Connections;
import picocli.CommandLine.Command;

/** Applies the settings of every consumer to its topic. */
@Command(
    name = "apply",
    description = {
      "Creates the topic of every consumer in the streams' file, or changes its settings.",
      "Settings that the file does not have stay as they are.",
      "The capability needs the right admin on all of them."
    })
final class ApplyCommand extends SubCommand {
  @Override
  ExitCode run(WorkerSettings settings, JsonLines out) {
    try (HttpService service = Connections.service(settings.service())) {
      for (ConsumerSettings consumer : settings.streams().consumers()) {
        ObjectNode wanted = TopicSettings.of(consumer);
        apply(service, TopicSettings.path(consumer), wanted);
        out.line(JsonLines.object().put("topic", consumer.durable()).setAll(wanted));
      }
    }
    return ExitCode.DONE;
  }

  /** Leaves settings that operators own unchanged. */
  private static void apply(HttpService service, String path, ObjectNode wanted) {
    try {
      service.patch(path, wanted);
    } catch (MailboxNotFoundException e) {
      service.put(path, wanted);
    }
  }
}
