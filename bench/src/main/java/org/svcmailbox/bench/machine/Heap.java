package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heap in use after a full collection. */
public final class Heap {
  private static final Pattern USED = Pattern.compile("garbage-first heap.*? used (\\d+)K");

  /** One collection enqueues references whose memory only the next one frees. */
  private static final int COLLECTIONS = 3;

  private Heap() {}

  /** MiB of another JVM after one collection. */
  public static long liveMebibytes(long pid, Path work) throws IOException, InterruptedException {
    return liveKibibytes(pid, work, 1) / 1024;
  }

  /** KiB of another JVM after three collections. */
  public static long liveKibibytes(long pid, Path work) throws IOException, InterruptedException {
    return liveKibibytes(pid, work, COLLECTIONS);
  }

  private static long liveKibibytes(long pid, Path work, int collections)
      throws IOException, InterruptedException {
    for (int i = 0; i < collections; i++) {
      Jcmd.run(pid, work, "GC.run");
    }
    Matcher used = USED.matcher(Jcmd.run(pid, work, "GC.heap_info"));
    if (!used.find()) {
      throw new IllegalStateException("GC.heap_info has no line of a G1 heap");
    }
    return Long.parseLong(used.group(1));
  }

  /** Bytes of this JVM after three collections. */
  public static long ownBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
