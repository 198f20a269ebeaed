package org.svcmailbox.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code mailbox}, which does nothing by itself. */
@Command(
    name = "mailbox",
    description = "Sends, receives and administers messages of a mailbox service.",
    versionProvider = MailboxCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0 done, 1 some items failed, 2 usage, 3 refused, 4 unavailable,",
      "  5 verification failed, 6 nothing received, 130 interrupted"
    })
final class MailboxCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  @SuppressWarnings("UnusedVariable")
  private boolean version;

  private final Surroundings surroundings;
  private final Interrupts interrupts;
  private final Console console;

  MailboxCommand(Surroundings surroundings, Interrupts interrupts) {
    this.surroundings = surroundings;
    this.interrupts = interrupts;
    this.console = new Console(surroundings);
  }

  Surroundings surroundings() {
    return surroundings;
  }

  Interrupts interrupts() {
    return interrupts;
  }

  Console console() {
    return console;
  }

  /** Reads the version from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = MailboxCommand.class.getPackage().getImplementationVersion();
      return new String[] {"mailbox " + (version == null ? "(not packed)" : version)};
    }
  }
}
