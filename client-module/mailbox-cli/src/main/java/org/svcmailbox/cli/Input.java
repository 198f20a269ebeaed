package org.svcmailbox.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The input of a command: a file, or standard input for {@code -}. */
final class Input {
  private static final Path STANDARD = Path.of("-");

  private Input() {}

  static boolean isStandard(Path file) {
    return file.equals(STANDARD);
  }

  /**
   * Opens the input.
   *
   * @throws UsageException if there is no such file
   */
  static InputStream open(Path file, Surroundings surroundings) {
    try {
      return isStandard(file) ? unclosed(surroundings.in()) : Files.newInputStream(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** The exception for a failed read. */
  static UsageException unreadable(Path file, IOException cause) {
    return new UsageException(
        (isStandard(file) ? "standard input" : file) + " cannot be read", cause);
  }

  private static InputStream unclosed(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public void close() {}
    };
  }
}
