package org.svcmailbox.outbox.jdbc;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.publish.PublisherBusyException;

/**
 * Lets only one publisher or receiver work on a SQLite database, by a lock on a file next to it.
 */
final class FileLock implements AutoCloseable {
  private final String suffix;
  private @Nullable FileChannel held;

  /**
   * A lock that is not taken yet.
   *
   * @param suffix follows the name of the database's file
   */
  FileLock(String suffix) {
    this.suffix = suffix;
  }

  /**
   * Takes the lock, unless it is held here already. A database in memory needs none.
   *
   * @throws PublisherBusyException if another one holds it
   */
  synchronized void take(Connection connection) throws SQLException {
    if (held != null) {
      return;
    }
    String file = file(connection);
    if (!file.isEmpty()) {
      held = lock(Path.of(file + suffix));
    }
  }

  private static FileChannel lock(Path path) throws SQLException {
    try {
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return channel;
      }
      channel.close();
    } catch (IOException e) {
      throw new SQLException("the lock " + path + " cannot be taken", e);
    }
    throw new PublisherBusyException("another process holds " + path);
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static String file(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA database_list")) {
      return row.next() && row.getString("file") != null ? row.getString("file") : "";
    }
  }

  @Override
  public synchronized void close() {
    try {
      if (held != null) {
        held.close();
        held = null;
      }
    } catch (IOException e) {
      throw new IllegalStateException("the lock of a file stays", e);
    }
  }
}
