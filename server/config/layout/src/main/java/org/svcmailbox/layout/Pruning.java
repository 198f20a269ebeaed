package org.svcmailbox.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Removes the modules of a laid-out server that nothing reaches. */
final class Pruning {
  private Pruning() {}

  /**
   * Prunes a server with its configuration and its application.
   *
   * @param unused a file with modules that classes name but never use: one per line, comments start
   *     with {@code #}
   */
  static void prune(Path home, Path unused) throws IOException {
    Set<String> names =
        Files.readAllLines(unused).stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.toSet());
    for (ServerModule module : ServerModules.read(home).unreached(Roots.of(home), names)) {
      delete(module.directory());
    }
    for (Path directory : deepestFirst(home.resolve("modules"))) {
      if (Files.isDirectory(directory) && isEmpty(directory)) {
        Files.delete(directory);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    for (Path path : deepestFirst(directory)) {
      Files.delete(path);
    }
  }

  private static List<Path> deepestFirst(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }
}
