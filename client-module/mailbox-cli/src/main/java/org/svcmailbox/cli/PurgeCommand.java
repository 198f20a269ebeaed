package org.svcmailbox.cli;

import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Deletes the messages that wait in a topic. */
@Command(
    name = "purge",
    description = "Deletes all ready and delayed messages of a topic, for good.",
    footer = {"", "Leased messages and dead letters stay, and keys stay taken."})
final class PurgeCommand extends TopicCall {
  @Mixin private Consent consent;

  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    long depth = TopicShape.of(calls.get(path())).path("depth").asLong();
    String question = "Delete " + depth + " messages of " + topic() + ", for good?";
    if (!consent.isGiven(console(), question)) {
      return ExitCode.INTERRUPTED;
    }
    out.line(calls.post(path() + "/purge"));
    return ExitCode.DONE;
  }
}
