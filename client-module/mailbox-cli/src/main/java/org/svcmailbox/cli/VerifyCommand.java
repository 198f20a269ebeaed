package org.svcmailbox.cli;

import picocli.CommandLine.Command;

/** Groups the commands that verify things without the service. */
@Command(
    name = "verify",
    description = "Checks envelopes and ledgers, without the service.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {VerifyEnvelopeCommand.class, VerifyLedgerCommand.class})
final class VerifyCommand {}
