package org.svcmailbox.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Redrives dead letters. */
@Command(
    name = "reprocess",
    description = "Brings dead letters back, as the messages that they were.")
final class DlqReprocessCommand extends JobCommand {
  @Option(
      names = "--to-topic",
      paramLabel = "TOPIC",
      converter = Values.Topic.class,
      description = "As new messages of another topic.")
  private @Nullable String target;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      description = "A new time to live from their return on; by default each letter's own.")
  private @Nullable Duration ttl;

  @Option(
      names = "--first",
      paramLabel = "NUMBER",
      converter = Values.Count.class,
      description = "Pause after so many, up to 100, until it is resumed.")
  private @Nullable Integer first;

  DlqReprocessCommand() {
    super("reprocess");
  }

  @Override
  @Nullable Integer first() {
    return first;
  }

  @Override
  @Nullable String target() {
    return target;
  }

  @Override
  @Nullable Duration ttl() {
    return ttl;
  }
}
