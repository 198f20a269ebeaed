package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.svcmailbox.worker.WorkerDocument;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The commands and exit codes that people read are those of the program. */
class CommandTableTest {
  private static final String COMMANDS = "Commands";
  private static final Pattern NAME = Pattern.compile("[a-z]+( [a-z]+)?");
  private static final Pattern OPTION = Pattern.compile("--[a-z-]+");

  /** Of every command. */
  private static final Set<String> COMMON = Set.of("--help", "--version", "--config");

  @Test
  void everyCommandHasARowWithItsOptions() {
    Map<String, Set<String>> documented = new TreeMap<>();
    for (List<String> row : WorkerDocument.rows(COMMANDS, "command")) {
      String usage = WorkerDocument.code(row.get(0));
      Matcher name = NAME.matcher(usage);
      assertEquals(true, name.lookingAt(), usage);
      documented.put(name.group(), options(usage));
      assertFalse(row.get(1).isEmpty());
    }
    Map<String, Set<String>> known = new TreeMap<>();
    collect(
        new CommandLine(
            new WorkerCommand(Map.of(), new JsonLines(new PrintStream(System.out, true)))),
        "",
        known);
    assertEquals(known, documented);
  }

  private static Set<String> options(String usage) {
    Set<String> options = new TreeSet<>();
    Matcher option = OPTION.matcher(usage);
    while (option.find()) {
      options.add(option.group());
    }
    return options;
  }

  private static void collect(CommandLine command, String path, Map<String, Set<String>> known) {
    if (command.getSubcommands().isEmpty()) {
      known.put(path, options(command));
    }
    command
        .getSubcommands()
        .forEach((name, sub) -> collect(sub, path.isEmpty() ? name : path + " " + name, known));
  }

  private static Set<String> options(CommandLine command) {
    Set<String> options = new TreeSet<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      options.add(option.longestName());
    }
    options.removeAll(COMMON);
    return options;
  }

  @Test
  void everyExitCodeHasARow() {
    assertEquals(
        Arrays.stream(ExitCode.values()).map(code -> Integer.toString(code.number())).toList(),
        WorkerDocument.rows(COMMANDS, "exit code").stream().map(row -> row.get(0)).toList());
  }
}
