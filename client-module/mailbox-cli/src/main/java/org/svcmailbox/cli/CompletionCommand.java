package org.svcmailbox.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script that completes commands and options in a shell. */
@Command(
    name = "completion",
    description = "Prints a script that completes commands and options in a shell.",
    footer = {
      "",
      "For bash: source <(mailbox completion bash)",
      "For zsh:  source <(mailbox completion zsh)"
    })
final class CompletionCommand extends CliCommand {
  /** The script is one for both, and finds out where it runs. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(index = "0", paramLabel = "bash|zsh")
  @SuppressWarnings("UnusedVariable")
  private Shell shell;

  @Override
  ExitCode run(JsonLines out) {
    out.text(AutoComplete.bash("mailbox", spec().root().commandLine()));
    return ExitCode.DONE;
  }
}
