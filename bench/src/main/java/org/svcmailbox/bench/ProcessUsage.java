package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Processes and everything they started, as the kernel accounts for them. */
final class ProcessUsage {
  /** Linux counts in these, whatever the kernel's own tick. */
  private static final int TICKS_PER_SECOND = 100;

  private final List<ProcessHandle> roots;

  ProcessUsage(ProcessHandle... roots) {
    this.roots = List.of(roots);
  }

  /** CPU time that they and those that have ended used. */
  Duration cpu() throws IOException {
    long ticks = 0;
    for (ProcessHandle process : all()) {
      String stat = read(process, "stat");
      if (!stat.isEmpty()) {
        // The second field is a name in parentheses, which may hold spaces. utime, stime, cutime
        // and
        // cstime are the 14th to 17th.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        for (int field = 11; field < 15; field++) {
          ticks += Long.parseLong(fields[field]);
        }
      }
    }
    return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
  }

  /** MiB of memory; what they share counts once. */
  long mebibytes() throws IOException {
    long kibibytes = 0;
    for (ProcessHandle process : all()) {
      for (String line : read(process, "smaps_rollup").split("\n", -1)) {
        if (line.startsWith("Pss:")) {
          kibibytes += Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    }
    return kibibytes / 1024;
  }

  /** The process that runs Java, for its own tools. */
  ProcessHandle jvm() {
    return all().stream()
        .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElse(roots.get(0));
  }

  private List<ProcessHandle> all() {
    return roots.stream()
        .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
        .toList();
  }

  /** Empty when it has ended meanwhile. */
  private static String read(ProcessHandle process, String file) throws IOException {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      // Which error it is depends on the moment.
      return "";
    }
  }
}
