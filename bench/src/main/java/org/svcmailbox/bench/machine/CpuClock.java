package org.svcmailbox.bench.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** CPU time of the load generators: this process and its children that have ended. */
public final class CpuClock {
  private CpuClock() {}

  public static Duration own() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Duration.ofNanos(system.getProcessCpuTime());
  }

  public static Duration endedChildren() throws IOException {
    return ProcStat.endedChildren(Files.readString(Path.of("/proc/self/stat")));
  }
}
