package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The stock WildFly distribution that the laid-out server is made from. */
public final class Distribution {
  private static final Path UNPACKED = Path.of("bench/target/stock");

  private Distribution() {}

  /**
   * Unpacks the distribution unless an earlier run did, and returns its home.
   *
   * @param home home of the laid-out server; the first line of its {@code .layout} names the
   *     distribution
   */
  public static Path unpacked(Path home) throws IOException {
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
