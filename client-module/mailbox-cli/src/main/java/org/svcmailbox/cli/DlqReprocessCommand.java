package org.svcmailbox.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Brings dead letters back. */
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

  DlqReprocessCommand() {
    super("reprocess");
  }

  @Override
  @Nullable String target() {
    return target;
  }
}
