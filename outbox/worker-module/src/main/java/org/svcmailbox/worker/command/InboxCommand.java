package org.svcmailbox.worker.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for the messages of the inbox. */
@Command(
    name = "inbox",
    mixinStandardHelpOptions = true,
    description = "Lists and changes the messages of the inbox.",
    subcommands = {InboxListCommand.class, InboxProcessCommand.class, InboxRouteCommand.class})
final class InboxCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
