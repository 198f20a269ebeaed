package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Changes settings of a topic, and keeps the others as they are. */
@Command(
    name = "change",
    description = "Changes settings of a topic. The others stay as they are now.",
    footer = {
      "",
      "A setting that stays no longer follows the service's own, unless it is given",
      "without a value."
    })
final class TopicChangeCommand extends TopicSettingsCall {
  @Override
  ExitCode run(HttpService calls, JsonLines out) {
    if (givesNothing()) {
      throw new UsageException("nothing to change: give NAME=VALUE");
    }
    check();
    ObjectNode now = TopicShape.settings(calls.get(path()));
    out.line(TopicShape.of(calls.put(path(), over(now))));
    return ExitCode.DONE;
  }
}
