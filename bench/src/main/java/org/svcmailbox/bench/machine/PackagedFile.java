package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Text files packaged beside a class. */
public final class PackagedFile {
  private PackagedFile() {}

  /**
   * Reads a file.
   *
   * @throws IllegalStateException if it is not packaged
   */
  public static String text(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not packaged");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
