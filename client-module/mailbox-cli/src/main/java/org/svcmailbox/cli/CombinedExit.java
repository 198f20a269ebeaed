package org.svcmailbox.cli;

import java.util.EnumSet;
import java.util.Set;

/** The results of a command's items, and their combined exit code. */
final class CombinedExit {
  private final Set<ExitCode> met = EnumSet.noneOf(ExitCode.class);

  void add(ExitCode code) {
    met.add(code);
  }

  /**
   * The combined code. If the items' codes differ, {@link ExitCode#SOME_FAILED}, unless one was not
   * verified. {@link ExitCode#NOTHING} without items.
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
