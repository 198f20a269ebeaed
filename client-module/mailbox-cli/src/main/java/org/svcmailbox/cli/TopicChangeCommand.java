package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Changes settings of a topic and keeps the others. */
@Command(name = "change", description = "Changes settings of a topic. The others stay as they are.")
final class TopicChangeCommand extends TopicSettingsCall {
  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    if (givesNothing()) {
      throw new UsageException("nothing to change: give NAME=VALUE");
    }
    String call = new PathQuery(path()).with("reset", reset()).toString();
    out.line(TopicShape.of(calls.patch(call, values())));
    return ExitCode.DONE;
  }
}
