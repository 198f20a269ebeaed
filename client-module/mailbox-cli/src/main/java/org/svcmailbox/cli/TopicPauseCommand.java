package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Pauses deliveries. */
@Command(
    name = "pause",
    description = "Delivers no message of a topic until it is resumed; SENDs go on.")
final class TopicPauseCommand extends TopicCall {
  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    out.line(calls.post(path() + "/pause"));
    return ExitCode.DONE;
  }
}
