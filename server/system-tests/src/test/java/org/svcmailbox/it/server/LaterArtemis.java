package org.svcmailbox.it.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.svcmailbox.test.files.Trees;

/**
 * An Artemis later than the service's, laid out from its jars. The distribution of the service's
 * Artemis gives what those lack: the command line, which is the same in both. The system property
 * {@code mailbox.later.artemis} names the directory of the jars.
 */
final class LaterArtemis {
  private static final String LIB = "/lib/";

  private LaterArtemis() {}

  /** Lays one out, and returns its {@code ARTEMIS_HOME}. */
  static Path layOut(Path home) {
    Trees.delete(home);
    Path lib = home.resolve("lib");
    try {
      Files.createDirectories(lib);
      Set<String> later = copyJars(lib);
      try (ZipFile zip = new ZipFile(System.getProperty("mailbox.artemis.zip"))) {
        for (ZipEntry entry : zip.stream().filter(LaterArtemis::isJar).toList()) {
          String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
          if (!later.contains(artifact(name))) {
            try (InputStream jar = zip.getInputStream(entry)) {
              long unused = Files.copy(jar, lib.resolve(name));
            }
          }
        }
      }
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isJar(ZipEntry entry) {
    return entry.getName().contains(LIB) && entry.getName().endsWith(".jar");
  }

  private static Set<String> copyJars(Path lib) throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("mailbox.later.artemis")))) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, lib.resolve(jar.getFileName()));
      }
    }
    try (Stream<Path> jars = Files.list(lib)) {
      return jars.map(jar -> artifact(jar.getFileName().toString())).collect(Collectors.toSet());
    }
  }

  /** The name without the version. */
  private static String artifact(String jar) {
    return jar.replaceFirst("-\\d.*", "");
  }
}
