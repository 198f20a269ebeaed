package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Deletes a topic. */
@Command(
    name = "delete",
    description = "Deletes a topic with its messages, dead letters, keys and ledger.")
final class TopicDeleteCommand extends TopicCall {
  @Mixin private Consent consent;

  @Override
  ExitCode run(HttpService calls, JsonOutput out) {
    JsonNode topic = TopicShape.of(calls.get(path()));
    long messages = topic.path("depth").asLong() + topic.path("inflight").asLong();
    String question =
        "Delete %s with %d messages and %d dead letters, for good?"
            .formatted(topic(), messages, topic.path("dlq").asLong());
    if (!consent.isGiven(console(), question)) {
      return ExitCode.INTERRUPTED;
    }
    out.line(calls.delete(path()));
    return ExitCode.DONE;
  }
}
