package org.svcmailbox.worker.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for the events of the outbox. */
@Command(
    name = "outbox",
    mixinStandardHelpOptions = true,
    description = "Lists and changes the events of the outbox.",
    subcommands = {
      OutboxListCommand.class,
      OutboxPublishCommand.class,
      OutboxRetryCommand.class,
      OutboxSkipCommand.class,
      OutboxRepublishCommand.class,
      OutboxReplayCommand.class
    })
final class OutboxCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
