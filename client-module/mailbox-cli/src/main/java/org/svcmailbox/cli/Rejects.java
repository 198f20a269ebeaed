package org.svcmailbox.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file of lines that can never be sent; or none. */
final class Rejects implements AutoCloseable {
  private final OutputStream out;

  private Rejects(OutputStream out) {
    this.out = out;
  }

  /**
   * Creates an empty file.
   *
   * @param source the file that is sent, which must be another one
   */
  static Rejects to(@Nullable Path file, Path source) {
    if (file == null) {
      return new Rejects(OutputStream.nullOutputStream());
    }
    try {
      if (Files.exists(file) && Files.exists(source) && Files.isSameFile(file, source)) {
        throw new UsageException("--rejects would overwrite the lines that are sent");
      }
      return new Rejects(Files.newOutputStream(file));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Writes a line at once. */
  void add(byte[] line) {
    try {
      out.write(line);
      out.write('\n');
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static UsageException unwritable(IOException cause) {
    return new UsageException("the file for rejects cannot be written", cause);
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw unwritable(e);
    }
  }
}
