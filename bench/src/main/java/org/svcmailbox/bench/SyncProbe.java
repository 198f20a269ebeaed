package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What the disk does meanwhile to somebody who wants little of it: a block written and synced again
 * and again, in a file of its own beside the server's. When that takes long, the disk or what else
 * is written to it is what the server waits for, too.
 */
final class SyncProbe extends Watch {
  /** The name of a sync that took {@link #LONG} or longer. */
  static final String SLOW_SYNC = "slow sync beside";

  static final Duration LONG = Duration.ofMillis(50);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path directory;

  /**
   * @param directory on the disk in question
   */
  SyncProbe(Path directory) {
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
