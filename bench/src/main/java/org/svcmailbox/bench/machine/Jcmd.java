package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Diagnostic commands to another JVM, by this JDK's {@code jcmd}. */
final class Jcmd {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private Jcmd() {}

  /**
   * Runs a command and returns its output.
   *
   * @param work directory for the file of the output
   */
  static String run(long pid, Path work, String... command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    all.add(Long.toString(pid));
    all.addAll(List.of(command));
    return ChildProcesses.run(all, work.resolve("jcmd.txt"), TIMEOUT);
  }
}
