package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** CPU time and memory of processes and their descendants, from {@code /proc}. */
public final class ProcessUsage {
  private final List<ProcessHandle> roots;

  public ProcessUsage(ProcessHandle... roots) {
    this.roots = List.of(roots);
  }

  /** CPU time, including that of children that have ended. */
  public Duration cpu() throws IOException {
    Duration total = Duration.ZERO;
    for (ProcessHandle process : all()) {
      String stat = read(process, "stat");
      if (!stat.isEmpty()) {
        total = total.plus(ProcStat.all(stat));
      }
    }
    return total;
  }

  /** Proportional set size in MiB: shared pages count once. */
  public long mebibytes() throws IOException {
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

  /**
   * The Java process that started last, or the root if there is none: a script may start a broker
   * before the server.
   */
  public ProcessHandle jvm() {
    return all().stream()
        .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
        .max(Comparator.comparing(handle -> handle.info().startInstant().orElse(Instant.EPOCH)))
        .orElse(roots.get(0));
  }

  private List<ProcessHandle> all() {
    return roots.stream()
        .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
        .toList();
  }

  /** Empty if the process has ended. */
  private static String read(ProcessHandle process, String file) throws IOException {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      // The error depends on how far the process has ended.
      return "";
    }
  }
}
