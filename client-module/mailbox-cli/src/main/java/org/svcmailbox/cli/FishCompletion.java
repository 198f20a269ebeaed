package org.svcmailbox.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion for fish, for commands of at most two words. */
final class FishCompletion {
  private final StringBuilder script = new StringBuilder("complete -c mailbox -e\n");

  private FishCompletion() {}

  static String script(CommandLine root) {
    FishCompletion completion = new FishCompletion();
    completion.commands(root.getSubcommands(), "__fish_use_subcommand");
    root.getSubcommands().forEach(completion::command);
    return completion.script.toString();
  }

  private void commands(Map<String, CommandLine> commands, String when) {
    commands.forEach(
        (name, command) ->
            line(
                when,
                "-f -a " + name,
                summary(command.getCommandSpec().usageMessage().description())));
  }

  private void command(String name, CommandLine command) {
    String seen = "__fish_seen_subcommand_from " + name;
    Map<String, CommandLine> below = command.getSubcommands();
    if (below.isEmpty()) {
      options(command.getCommandSpec(), seen);
    } else {
      String names = String.join(" ", below.keySet());
      commands(below, seen + "; and not __fish_seen_subcommand_from " + names);
      below.forEach(
          (one, lower) ->
              options(lower.getCommandSpec(), seen + "; and __fish_seen_subcommand_from " + one));
    }
  }

  private void options(CommandSpec command, String when) {
    for (OptionSpec option : command.options()) {
      StringBuilder names = new StringBuilder();
      for (String name : option.names()) {
        names.append(
            name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
      }
      // Completes files for options that may take one.
      names.append(option.arity().max() > 0 ? " -r" : "");
      line(when, names.toString().strip(), summary(option.description()));
    }
  }

  private void line(String when, String what, String summary) {
    script
        .append("complete -c mailbox -n '")
        .append(when)
        .append("' ")
        .append(what)
        .append(" -d '")
        .append(summary.replace("\\", "\\\\").replace("'", "\\'"))
        .append("'\n");
  }

  private static String summary(String[] description) {
    return description.length == 0 ? "" : description[0];
  }
}
