package org.svcmailbox.ejb.mailbox;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.problem.UnavailableException;

/** The file system that holds a directory. */
final class DataDisk implements DiskSpace {
  private final Path directory;
  private final Path probe;

  /** Kept, because to find it takes reading the table of mounts. It reads the disk each time. */
  private volatile @Nullable FileStore store;

  DataDisk(Path directory) {
    this.directory = directory;
    this.probe = directory.resolve("disk-probe");
  }

  /** {@inheritDoc} Opening a file for writing is enough to learn that the disk is not writable. */
  @Override
  public Room room() {
    try {
      FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
      FileStore known = store;
      FileStore found = known != null ? known : Files.getFileStore(directory);
      store = found;
      return new Room(found.getUsableSpace(), found.getTotalSpace());
    } catch (IOException e) {
      throw new UnavailableException(directory + " cannot be written: " + reason(e), e);
    }
  }

  private static String reason(IOException failure) {
    String reason = failure instanceof FileSystemException why ? why.getReason() : null;
    return reason != null ? reason : failure.toString();
  }
}
