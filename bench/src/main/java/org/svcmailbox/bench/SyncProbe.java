package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the disk does meanwhile to somebody who wants little of it: a block written and synced again
 * and again, in a file of its own beside the server's. When that takes long, the disk or what else
 * is written to it is what the server waits for, too.
 */
final class SyncProbe implements Runnable {
  /** The name of a sync that took {@link #LONG} or longer. */
  static final String SLOW_SYNC = "slow sync beside";

  static final Duration LONG = Duration.ofMillis(50);

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int BLOCK = 4096;

  private final Path file;
  private final List<Span> seen = new ArrayList<>();
  private final Thread thread = new Thread(this, "sync-probe");
  private volatile boolean over;
  private volatile @Nullable IOException failure;

  private SyncProbe(Path directory) {
    this.file = directory.resolve("sync.beside");
  }

  /**
   * Begins to write.
   *
   * @param directory on the disk in question
   */
  static SyncProbe begin(Path directory) {
    SyncProbe probe = new SyncProbe(directory);
    probe.thread.setDaemon(true);
    probe.thread.start();
    return probe;
  }

  /**
   * Ends it, and tells which syncs were slow.
   *
   * @throws IOException when it could not write
   */
  List<Span> end() throws InterruptedException, IOException {
    over = true;
    thread.join();
    IOException why = failure;
    if (why != null) {
      throw new IOException("the disk cannot be written beside the server", why);
    }
    return seen;
  }

  @Override
  public void run() {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      // Written first, so that what is seen is data going to disk and no growing file.
      write(channel);
      channel.force(true);
      while (!over) {
        long before = System.nanoTime();
        write(channel);
        channel.force(false);
        note(seen, before, System.nanoTime());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private static void write(FileChannel channel) throws IOException {
    channel.write(ByteBuffer.allocate(BLOCK), 0);
  }

  static void note(List<Span> seen, long from, long until) {
    if (until - from >= LONG.toNanos()) {
      seen.add(new Span(SLOW_SYNC, from, until));
    }
  }
}
