package org.svcmailbox.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The CPU time of the load generators: of this process, and of children that have ended. */
final class CpuClock {
  /** Linux counts in these, whatever the kernel's own tick. */
  private static final int TICKS_PER_SECOND = 100;

  private CpuClock() {}

  /** CPU time this process has used. */
  static Duration own() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Duration.ofNanos(system.getProcessCpuTime());
  }

  /** CPU time that ended children of this process had used. */
  static Duration endedChildren() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    // The second field is a name in parentheses, which may hold spaces; cutime and cstime follow
    // it as the 14th and 15th.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
    return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
  }
}
