package org.svcmailbox.ejb.preflight;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Restores lost names of page folders. The broker ignores a folder whose {@code address.txt} is
 * missing or empty, with every message in it. A power cut right after an address began to page can
 * leave one. Each page begins with a message, which has the address.
 */
public final class PageFolderRepair {
  private static final String NAME = "address.txt";

  private final Path paging;

  private PageFolderRepair(Path paging) {
    this.paging = paging;
  }

  /** Repairs the paging directory of a broker in another process, before its start. */
  public static void main(String[] arguments) throws IOException {
    try {
      repair(Path.of(arguments[0]));
    } catch (RefusedStartException e) {
      System.err.println("mailbox: " + e.getMessage());
      System.exit(Preflight.REFUSED);
    }
  }

  /**
   * Names every folder below {@code paging} that has messages and no name.
   *
   * @throws RefusedStartException when one cannot be named; nothing was changed in it
   */
  static void repair(Path paging) throws IOException {
    new PageFolderRepair(paging).repair();
  }

  private void repair() throws IOException {
    Map<String, Path> named = new HashMap<>();
    List<Path> folders = list(paging).filter(Files::isDirectory).toList();
    for (Path folder : folders) {
      name(folder).ifPresent(address -> named.put(address, folder));
    }
    for (Path folder : folders) {
      if (name(folder).isEmpty()) {
        nameFromItsPages(folder, named);
      }
    }
  }

  private static Optional<String> name(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    return Files.exists(file)
        ? Files.readAllLines(file).stream().findFirst().filter(line -> !line.isEmpty())
        : Optional.empty();
  }

  private static void nameFromItsPages(Path folder, Map<String, Path> named) throws IOException {
    Optional<Path> first =
        list(folder)
            .filter(file -> file.toString().endsWith(".page"))
            .filter(Page::isFilled)
            .min(Path::compareTo);
    if (first.isEmpty()) {
      return;
    }
    String address =
        Page.address(first.get())
            .orElseThrow(
                () ->
                    new RefusedStartException(
                        "the page folder " + folder + " has messages, and its address is lost"));
    Path other = named.putIfAbsent(address, folder);
    if (other != null) {
      throw new RefusedStartException(
          "the page folders " + folder + " and " + other + " are both of the address " + address);
    }
    write(folder, address);
    System.err.println("mailbox: the page folder " + folder + " is of the address " + address);
  }

  private static void write(Path folder, String address) throws IOException {
    Path written = folder.resolve(NAME + ".new");
    Files.writeString(written, address + "\n", StandardCharsets.UTF_8);
    sync(written);
    Files.move(written, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Stream<Path> list(Path directory) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList().stream();
    }
  }
}
