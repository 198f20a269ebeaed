package org.svcmailbox.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory of another JVM, as its own tools tell. */
final class Heap {
  private static final Pattern USED = Pattern.compile("garbage-first heap.*? used (\\d+)K");
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** One collection finds objects whose memory only the next one frees. */
  private static final int COLLECTIONS = 3;

  private Heap() {}

  /** MiB that are in use once what nobody refers to is gone. */
  static long liveMebibytes(long pid, Path work) throws IOException, InterruptedException {
    jcmd(pid, "GC.run", work);
    return usedKibibytes(pid, work) / 1024;
  }

  /** KiB, after as many collections as it takes. */
  static long liveKibibytes(long pid, Path work) throws IOException, InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      jcmd(pid, "GC.run", work);
    }
    return usedKibibytes(pid, work);
  }

  private static long usedKibibytes(long pid, Path work) throws IOException, InterruptedException {
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info", work));
    if (!used.find()) {
      throw new IllegalStateException("GC.heap_info says nothing of a heap that is known here");
    }
    return Long.parseLong(used.group(1));
  }

  /** Bytes of this process' heap that are in use once what nobody refers to is gone. */
  static long ownBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static String jcmd(long pid, String command, Path work)
      throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    return Children.run(
        List.of(jcmd, Long.toString(pid), command), work.resolve("jcmd.txt"), PATIENCE);
  }
}
