package org.svcmailbox.cli;

import picocli.CommandLine.Command;

/** Groups the commands for ledgers. */
@Command(
    name = "ledger",
    description = "Exports ledgers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = LedgerExportCommand.class)
final class LedgerCommand {}
