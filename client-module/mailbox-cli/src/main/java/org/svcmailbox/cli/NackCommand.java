package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.HttpService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Returns messages, or makes them dead letters. */
@Command(name = "nack", description = "Gives messages back, to be delivered again.")
final class NackCommand extends SettleCommand {
  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for operators.")
  private @Nullable String reason;

  @Option(
      names = "--delay",
      paramLabel = "DURATION",
      description = "How long the message stays hidden; by default as the topic's backoff says.")
  private @Nullable Duration delay;

  @Option(
      names = "--dead-letter",
      description = "Make dead letters of them at once; needs --reason.")
  private boolean deadLetter;

  @Override
  void complete(ObjectNode element) {
    if (deadLetter && (reason == null || delay != null)) {
      throw new UsageException("--dead-letter needs --reason and excludes --delay");
    }
    if (reason != null) {
      element.put("reason", reason);
    }
    if (delay != null) {
      element.put("delay_ms", delay.toMillis());
    }
    if (deadLetter) {
      element.put("dead_letter", true);
    }
  }

  @Override
  List<Optional<RuntimeException>> settle(HttpService calls, List<ObjectNode> elements) {
    return calls.nack(elements);
  }
}
