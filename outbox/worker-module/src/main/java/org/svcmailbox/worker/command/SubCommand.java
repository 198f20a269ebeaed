package org.svcmailbox.worker.command;

import java.util.concurrent.Callable;
import org.svcmailbox.worker.config.WorkerSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works with the settings of a worker. */
@Command(mixinStandardHelpOptions = true)
abstract class SubCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Runs the command. */
  abstract ExitCode run(WorkerSettings settings, JsonLines out) throws Exception;

  @Override
  public final Integer call() throws Exception {
    WorkerCommand root = (WorkerCommand) spec.root().userObject();
    return run(root.settings(), root.out()).number();
  }
}
