package org.svcmailbox.bench.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A 4 KiB block in a file of its own that can be written and synced repeatedly. */
final class SyncedBlock implements Closeable {
  private static final int BYTES = 4096;

  private final FileChannel channel;

  /**
   * Creates the file, which is deleted on close.
   *
   * @param directory a directory on the disk to measure
   */
  SyncedBlock(Path directory) throws IOException {
    channel =
        FileChannel.open(
            directory.resolve("sync.probe"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    // The first write grows the file, which is not to be measured.
    sync();
  }

  /** Writes the block; on return it is on disk. */
  void sync() throws IOException {
    channel.write(ByteBuffer.allocate(BYTES), 0);
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
