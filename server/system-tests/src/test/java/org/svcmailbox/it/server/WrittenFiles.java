package org.svcmailbox.it.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Files that a server wrote, searched for what must not be, or must be, in them. */
public final class WrittenFiles {
  private static final String DELETED = " (deleted)";

  private final TreeMap<String, Path> files = new TreeMap<>();

  /** Adds every file below {@code root} that is wanted. */
  public WrittenFiles below(Path root, Predicate<Path> wanted) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (Files.isRegularFile(file) && wanted.test(file)) {
              files.put(file.toString(), file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              // Gone since its directory was listed.
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return this;
  }

  /** Adds every file that a process still has open after it was deleted. */
  public WrittenFiles deletedBy(long processId) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(processId), "fd"))) {
      for (Path file : open.toList()) {
        String name = nameOf(file);
        if (name.startsWith("/") && name.endsWith(DELETED)) {
          files.put(name, file);
        }
      }
    }
    return this;
  }

  private static String nameOf(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      // Closed since the directory was listed.
      return "";
    }
  }

  /** Their names. */
  public Set<String> names() {
    return Set.copyOf(files.keySet());
  }

  /** How many there are. */
  public int count() {
    return files.size();
  }

  /** The names of the files that hold any of these texts, a character for a byte. */
  public Set<String> holding(Collection<String> texts) throws IOException {
    Set<String> holding = new TreeSet<>();
    read(
        (name, content) -> {
          if (texts.stream().anyMatch(content::contains)) {
            holding.add(name);
          }
        });
    return holding;
  }

  /** Reads each of them once: its name, and its content with a character for a byte. */
  public void read(BiConsumer<String, String> reader) throws IOException {
    for (var file : files.entrySet()) {
      reader.accept(file.getKey(), content(file.getValue()));
    }
  }

  private static String content(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), ISO_8859_1);
    } catch (NoSuchFileException e) {
      // A temporary file, gone since it was listed.
      return "";
    }
  }
}
