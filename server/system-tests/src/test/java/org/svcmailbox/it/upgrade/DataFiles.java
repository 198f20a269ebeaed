package org.svcmailbox.it.upgrade;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A data directory in one archive, which has no dates and no owners. */
final class DataFiles {
  private static final LocalDateTime NO_DATE = LocalDateTime.of(1980, 1, 1, 0, 0);

  /** The directories of broker and service; others are the server's own. */
  private static final Set<String> KEPT = Set.of("activemq", "mailbox");

  private DataFiles() {}

  /** Packs all that a start reads; SQLite makes its shared memory again. */
  static void pack(Path data, Path archive) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      for (Path file : files(data)) {
        ZipEntry entry = new ZipEntry(data.relativize(file).toString());
        entry.setTimeLocal(NO_DATE);
        zip.putNextEntry(entry);
        Files.copy(file, zip);
      }
    }
  }

  private static List<Path> files(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> KEPT.contains(data.relativize(file).getName(0).toString()))
          .filter(file -> !file.toString().endsWith(".db-shm"))
          .sorted()
          .toList();
    }
  }

  /** Unpacks one into a directory that does not exist. */
  static void unpack(InputStream archive, Path data) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = data.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }
}
