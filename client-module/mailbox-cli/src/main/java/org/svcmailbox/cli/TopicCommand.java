package org.svcmailbox.cli;

import picocli.CommandLine.Command;

/** Groups the commands that change topics. */
@Command(
    name = "topic",
    description = "Creates, changes, pauses and deletes topics.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TopicCreateCommand.class,
      TopicChangeCommand.class,
      TopicDeleteCommand.class,
      TopicPauseCommand.class,
      TopicResumeCommand.class
    })
final class TopicCommand {}
