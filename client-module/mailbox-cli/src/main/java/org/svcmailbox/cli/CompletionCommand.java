package org.svcmailbox.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script that completes commands and options in a shell. */
@Command(
    name = "completion",
    description = "Prints a script that completes commands and options in a shell.",
    footer = {
      "",
      "For bash: source <(mailbox completion bash)",
      "For zsh:  source <(mailbox completion zsh)",
      "For fish: mailbox completion fish | source"
    })
final class CompletionCommand extends CliCommand {
  /** Bash and zsh share one script, which detects its shell. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Parameters(index = "0", paramLabel = "bash|zsh|fish")
  private Shell shell;

  @Override
  ExitCode run(JsonOutput out) {
    CommandLine root = spec().root().commandLine();
    out.text(
        shell == Shell.FISH ? FishCompletion.script(root) : AutoComplete.bash("mailbox", root));
    return ExitCode.DONE;
  }
}
