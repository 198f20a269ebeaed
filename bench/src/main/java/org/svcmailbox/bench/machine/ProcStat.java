package org.svcmailbox.bench.machine;

import java.time.Duration;

/** CPU times in the text of {@code /proc/<pid>/stat}. */
final class ProcStat {
  /** Linux reports these times in hundredths of a second, whatever the kernel's own tick. */
  private static final int TICKS_PER_SECOND = 100;

  // Positions after the command, which is in parentheses and may contain spaces.
  private static final int UTIME = 11;
  private static final int CUTIME = 13;
  private static final int END = 15;

  private ProcStat() {}

  /** Time of the process and of its children that have ended. */
  static Duration all(String stat) {
    return sum(stat, UTIME);
  }

  /** Time of its children that have ended. */
  static Duration endedChildren(String stat) {
    return sum(stat, CUTIME);
  }

  private static Duration sum(String stat, int first) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int field = first; field < END; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
  }
}
