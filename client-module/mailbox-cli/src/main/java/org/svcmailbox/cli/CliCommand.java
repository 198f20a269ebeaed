package org.svcmailbox.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that performs an action. */
@Command
abstract class CliCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Runs the command and writes its results. */
  abstract ExitCode run(JsonOutput out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    JsonOutput out = new JsonOutput(surroundings().out());
    try {
      ExitCode code = run(out);
      out.flush();
      return code.number();
    } catch (RuntimeException | InterruptedException e) {
      flushIfPossible(out);
      throw e;
    }
  }

  /** Writes the items before the failure; a problem with that must not hide the failure. */
  private static void flushIfPossible(JsonOutput out) {
    try {
      out.flush();
    } catch (BrokenOutputException e) {
      return;
    }
  }

  final CommandSpec spec() {
    return spec;
  }

  final Surroundings surroundings() {
    return root().surroundings();
  }

  final Console console() {
    return root().console();
  }

  final Interrupts interrupts() {
    return root().interrupts();
  }

  private MailboxCommand root() {
    return (MailboxCommand) spec.root().userObject();
  }
}
