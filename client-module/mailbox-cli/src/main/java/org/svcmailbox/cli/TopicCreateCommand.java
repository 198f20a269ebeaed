package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Creates a topic; never changes an existing one. */
@Command(
    name = "create",
    description = "Creates a topic. Settings that are not given follow the service's.")
final class TopicCreateCommand extends TopicSettingsCall {
  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    ObjectNode settings = values();
    if (exists(calls)) {
      console().note("there is a topic " + topic() + " already: change it");
      return ExitCode.REFUSED;
    }
    out.line(TopicShape.of(calls.put(path(), settings)));
    return ExitCode.DONE;
  }

  private boolean exists(HttpService calls) {
    try {
      calls.get(path());
      return true;
    } catch (MailboxNotFoundException e) {
      return false;
    }
  }
}
