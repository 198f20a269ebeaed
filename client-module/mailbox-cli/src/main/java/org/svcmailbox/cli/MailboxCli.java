package org.svcmailbox.cli;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line as a function, from arguments to an exit code. */
public final class MailboxCli {
  /** Created once, because JDK 17 makes no class archive if two places create the same lambda. */
  private static final ITypeConverter<Integer> NUMBER = Values::number;

  /** Too short to be a secret. */
  private static final Pattern WORD = Pattern.compile("[a-z][a-z-]{0,15}");

  private MailboxCli() {}

  /** Runs one command. Interrupting this thread ends it early, as a signal does. */
  public static int run(Surroundings surroundings, String... arguments) {
    return run(surroundings, new Interrupts(), arguments);
  }

  static int run(Surroundings surroundings, Interrupts interrupts, String... arguments) {
    MailboxCommand root = new MailboxCommand(surroundings, interrupts);
    return CommandTree.of(root, arguments)
        .setOut(new PrintWriter(new OutputStreamWriter(surroundings.out(), StandardCharsets.UTF_8)))
        .registerConverter(Duration.class, Values::duration)
        .registerConverter(Instant.class, Values::time)
        .registerConverter(Integer.class, NUMBER)
        .registerConverter(int.class, NUMBER)
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

  private static String explanation(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched) {
      return unmatched(failure.getCommandLine(), unmatched.getUnmatched());
    }
    return failure.getArgSpec() instanceof OptionSpec option && option.isMultiValue()
        ? "Invalid value for option '%s': %s is needed"
            .formatted(option.longestName(), option.paramLabel())
        : String.valueOf(failure.getMessage());
  }

  /** Does not repeat unexpected arguments, because one may be a secret. */
  private static String unmatched(CommandLine command, List<String> arguments) {
    List<String> options =
        arguments.stream()
            .filter(argument -> argument.startsWith("-"))
            .map(argument -> argument.replaceAll("(?s)=.*|(?<=^-[^-]).*", ""))
            .toList();
    if (!options.isEmpty()) {
      return options.stream().collect(Collectors.joining(", ", "unknown: ", ""));
    }
    if (command.getSubcommands().isEmpty()) {
      return "there are more arguments than are taken";
    }
    String name = arguments.get(0);
    return WORD.matcher(name).matches()
        ? "there is no command " + name
        : "there is no such command";
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
      case PIPE_CLOSED -> {}
      case USAGE -> {
        console.note(String.valueOf(failure.getMessage()));
        hint(console, command);
      }
      default -> console.note(description(failure));
    }
    return code.number();
  }

  /** The message of an expected failure, or the stack trace of any other. */
  private static String description(Exception failure) {
    if (ExitCode.of(failure) != ExitCode.SOME_FAILED || failure instanceof BrokenOutputException) {
      return String.valueOf(failure.getMessage());
    }
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    return "internal error: " + trace;
  }
}
