package org.svcmailbox.cli;

import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The commands and their options, as far as a run needs them, because building all of them takes
 * half of a start.
 */
final class CommandTree {
  private static final List<Class<?>> COMMANDS =
      List.of(
          SendCommand.class,
          RecvCommand.class,
          AckCommand.class,
          NackCommand.class,
          ExtendCommand.class,
          PeekCommand.class,
          TopicsCommand.class,
          TopicCommand.class,
          PurgeCommand.class,
          DlqCommand.class,
          CapCommand.class,
          LedgerCommand.class,
          VerifyCommand.class,
          CompletionCommand.class);

  private static final Set<String> VERSION = Set.of("-V", "--version");

  private CommandTree() {}

  /** The whole tree, or only the branch that the first argument names. */
  static CommandLine of(MailboxCommand root, String... arguments) {
    CommandLine tree = new CommandLine(root);
    String first = arguments.length == 0 ? "" : arguments[0];
    boolean isBranch =
        COMMANDS.stream()
            .anyMatch(type -> name(type).equals(first) && type != CompletionCommand.class);
    if (!VERSION.contains(first)) {
      COMMANDS.stream()
          .filter(type -> !isBranch || name(type).equals(first))
          .forEach(type -> tree.addSubcommand(type));
    }
    return tree;
  }

  private static String name(Class<?> type) {
    return type.getAnnotation(Command.class).name();
  }
}
