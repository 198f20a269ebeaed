package org.svcmailbox.cli;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line as a function, from arguments to an exit code. */
public final class MailboxCli {
  private MailboxCli() {}

  /** Runs one command. An interrupt of this thread ends it early, as a signal does. */
  public static int run(Surroundings surroundings, String... arguments) {
    return run(surroundings, new Interrupts(), arguments);
  }

  static int run(Surroundings surroundings, Interrupts interrupts, String... arguments) {
    MailboxCommand root = new MailboxCommand(surroundings, interrupts);
    return CommandTree.of(root, arguments)
        .setOut(new PrintWriter(new OutputStreamWriter(surroundings.out(), StandardCharsets.UTF_8)))
        .registerConverter(Duration.class, Values::duration)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((failure, given) -> misused(root.console(), failure))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> failed(root.console(), command, failure))
        .execute(arguments);
  }

  private static int misused(Console console, ParameterException failure) {
    console.note(explanation(failure));
    hint(console, failure.getCommandLine());
    return ExitCode.USAGE.number();
  }

  /** Arguments that nothing takes are not repeated: one may be a secret. */
  private static String explanation(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(failure.getMessage());
    }
    List<String> options =
        unmatched.getUnmatched().stream()
            .filter(argument -> argument.startsWith("-"))
            .map(argument -> argument.replaceAll("(?s)=.*|(?<=^-[^-]).*", ""))
            .toList();
    return options.isEmpty()
        ? "there are more arguments than are taken"
        : options.stream().collect(Collectors.joining(", ", "unknown: ", ""));
  }

  private static void hint(Console console, CommandLine command) {
    console.note("see " + command.getCommandSpec().qualifiedName() + " --help");
  }

  private static int failed(Console console, CommandLine command, Exception failure) {
    if (Thread.interrupted()) {
      return ExitCode.INTERRUPTED.number();
    }
    ExitCode code = ExitCode.of(failure);
    switch (code) {
      case INTERRUPTED -> {}
      case USAGE -> {
        console.note(String.valueOf(failure.getMessage()));
        hint(console, command);
      }
      default -> console.note(description(failure));
    }
    return code.number();
  }

  /** The message of a failure that is expected, and the trace of one that is not. */
  private static String description(Exception failure) {
    if (ExitCode.of(failure) != ExitCode.SOME_FAILED || failure instanceof BrokenOutputException) {
      return String.valueOf(failure.getMessage());
    }
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return "internal error: " + trace;
  }
}
