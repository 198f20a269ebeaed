package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;

/** Resumes deliveries. */
@Command(name = "resume", description = "Delivers the messages of a paused topic again.")
final class TopicResumeCommand extends TopicCall {
  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    out.line(calls.post(path() + "/resume"));
    return ExitCode.DONE;
  }
}
