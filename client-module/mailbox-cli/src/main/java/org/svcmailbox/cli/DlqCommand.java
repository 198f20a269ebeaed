package org.svcmailbox.cli;

import picocli.CommandLine.Command;

/** Groups the commands for dead letters. */
@Command(
    name = "dlq",
    description = "Finds, reprocesses and discards dead letters.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DlqListCommand.class,
      DlqGroupsCommand.class,
      DlqShowCommand.class,
      DlqReprocessCommand.class,
      DlqDiscardCommand.class,
      DlqResendCommand.class,
      DlqJobsCommand.class
    })
final class DlqCommand {}
