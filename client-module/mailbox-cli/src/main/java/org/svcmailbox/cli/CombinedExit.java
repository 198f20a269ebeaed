package org.svcmailbox.cli;

import java.util.EnumSet;
import java.util.Set;

/** The results of the items of a command, and the exit code that they make together. */
final class CombinedExit {
  private final Set<ExitCode> met = EnumSet.noneOf(ExitCode.class);

  void add(ExitCode code) {
    met.add(code);
  }

  /**
   * The one code of all items; of items that differ, {@link ExitCode#SOME_FAILED}, unless one was
   * not verified. {@link ExitCode#NOTHING} without items.
   */
  ExitCode together() {
    if (met.isEmpty()) {
      return ExitCode.NOTHING;
    }
    if (met.contains(ExitCode.NOT_VERIFIED)) {
      return ExitCode.NOT_VERIFIED;
    }
    return met.size() == 1 ? met.iterator().next() : ExitCode.SOME_FAILED;
  }
}
