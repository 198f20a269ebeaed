package org.svcmailbox.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The server's distribution as it comes, which ours is laid out from. */
final class Distribution {
  private static final Path UNPACKED = Path.of("bench/target/stock");

  private Distribution() {}

  /**
   * Unpacks it, unless an earlier run did.
   *
   * @param home of the laid-out server; the first of its inputs is the distribution
   */
  static Path unpacked(Path home) throws IOException {
    String first = Files.readAllLines(home.resolve(".layout")).get(0);
    Path zip = Path.of(first.substring("# ".length()));
    Path done = UNPACKED.resolve(zip.getFileName() + ".done");
    if (!Files.exists(done)) {
      unpack(zip);
      Files.createFile(done);
    }
    try (ZipFile file = new ZipFile(zip.toFile())) {
      String entry = file.entries().nextElement().getName();
      return UNPACKED.resolve(entry.substring(0, entry.indexOf('/')));
    }
  }

  private static void unpack(Path zip) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : file.stream().toList()) {
        Path to = UNPACKED.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(to);
          continue;
        }
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        try (InputStream in = file.getInputStream(entry)) {
          Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
        }
        if (to.toString().endsWith(".sh") && !to.toFile().setExecutable(true)) {
          throw new IOException(to + " cannot be made executable");
        }
      }
    }
  }
}
