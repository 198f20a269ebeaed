package org.svcmailbox.cli;

import org.svcmailbox.client.PreconditionException;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Creates a topic; never changes an existing one. */
@Command(
    name = "create",
    description = "Creates a topic. Settings that are not given follow the service's.")
final class TopicCreateCommand extends TopicSettingsCall {
  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    try {
      out.line(TopicShape.of(calls.create(path(), values())));
      return ExitCode.DONE;
    } catch (PreconditionException e) {
      console().note("there is a topic " + topic() + " already: change it");
      return ExitCode.REFUSED;
    }
  }
}
