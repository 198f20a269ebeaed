package org.svcmailbox.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A block of 4 KiB in a file of its own, to be written and synced again and again. */
final class SyncedBlock implements Closeable {
  private static final int BYTES = 4096;

  private final FileChannel channel;

  /**
   * The file is there until this is closed.
   *
   * @param directory on the disk in question
   */
  SyncedBlock(Path directory) throws IOException {
    channel =
        FileChannel.open(
            directory.resolve("sync.probe"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    // Once now, so that what is measured is data going to disk and no growing file.
    sync();
  }

  /** Writes it; on return it is on disk. */
  void sync() throws IOException {
    channel.write(ByteBuffer.allocate(BYTES), 0);
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
