package org.svcmailbox.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Jars that tests write. */
final class Jars {
  private Jars() {}

  static void write(Path file, Map<String, byte[]> entries) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
  }

  static void write(Path file, String entry, String text) throws IOException {
    write(file, Map.of(entry, text.getBytes(UTF_8)));
  }

  static byte[] classFile(Class<?> type) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"))) {
      return in.readAllBytes();
    }
  }
}
