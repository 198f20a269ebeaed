package org.svcmailbox.cli;

import picocli.CommandLine.Command;

/** Groups the commands for capabilities. */
@Command(
    name = "cap",
    description = "Reads and narrows capabilities offline; mints and revokes them.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CapInspectCommand.class,
      CapNarrowCommand.class,
      CapMintCommand.class,
      CapRevokeCommand.class
    })
final class CapCommand {}
