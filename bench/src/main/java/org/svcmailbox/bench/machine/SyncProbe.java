package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes and syncs a block of its own beside the files of the server, every 20 ms. A slow sync
 * shows that the server, too, waited for the disk.
 */
public final class SyncProbe extends Watch {
  static final String SLOW_SYNC = "slow sync beside";

  static final Duration LONG = Duration.ofMillis(50);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path directory;

  /**
   * @param directory a directory on the disk to probe
   */
  public SyncProbe(Path directory) {
    super("sync-probe");
    this.directory = directory;
  }

  @Override
  void watch() throws IOException {
    try (SyncedBlock block = new SyncedBlock(directory)) {
      while (!isOver()) {
        long before = System.nanoTime();
        block.sync();
        note(seen(), before, System.nanoTime());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  static void note(List<Span> seen, long from, long until) {
    if (until - from >= LONG.toNanos()) {
      seen.add(new Span(SLOW_SYNC, from, until));
    }
  }
}
