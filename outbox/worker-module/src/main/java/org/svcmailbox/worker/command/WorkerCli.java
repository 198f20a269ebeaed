package org.svcmailbox.worker.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.outbox.event.EventSubject;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command line as a function from arguments to an exit code. */
public final class WorkerCli {
  private WorkerCli() {}

  /**
   * Runs one command.
   *
   * @param environment the process's environment variables
   * @param out receives results, in UTF-8
   * @param err receives everything else
   */
  public static int run(
      Map<String, String> environment, PrintStream out, PrintStream err, String... arguments) {
    WorkerCommand root = new WorkerCommand(environment, new JsonLines(out));
    return new CommandLine(root)
        .setOut(writer(out))
        .setErr(writer(err))
        .registerConverter(Duration.class, WorkerCli::duration)
        .registerConverter(EventSubject.class, EventSubject::new)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((failure, all) -> misused(err, failure))
        .setExecutionExceptionHandler((failure, command, parsed) -> failed(err, failure))
        .execute(arguments);
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, UTF_8);
  }

  private static Duration duration(String text) {
    try {
      return Amounts.duration(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + ", not " + text);
    }
  }

  /** Does not repeat an unexpected argument, which may be a token. */
  private static int misused(PrintStream err, ParameterException failure) {
    err.println("sea-mq-worker: " + message(failure));
    failure.getCommandLine().usage(err);
    return ExitCode.USAGE.number();
  }

  private static int failed(PrintStream err, Exception failure) {
    if (ExitCode.isExpected(failure)) {
      err.println("sea-mq-worker: " + message(failure));
      if (failure.getCause() != null) {
        err.println("  " + message(failure.getCause()));
      }
    } else {
      failure.printStackTrace(err);
    }
    return ExitCode.of(failure).number();
  }

  private static String message(Throwable failure) {
    return Capability.withoutTokens(String.valueOf(failure.getMessage()));
  }
}
