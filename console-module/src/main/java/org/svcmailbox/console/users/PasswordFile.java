package org.svcmailbox.console.users;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of lines {@code user=hash}, replaced as a whole. The new file beside it is created
 * exclusively, so it also serves as the lock; {@code mailbox-user} does the same. A killed process
 * leaves it behind, and no change succeeds until somebody removes it.
 */
final class PasswordFile {
  private static final Charset CHARSET = StandardCharsets.ISO_8859_1;

  /** WildFly rereads the file only if it is newer than the end of the last reading. */
  private static final Duration AHEAD = Duration.ofSeconds(2);

  private static final Set<StandardOpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;

  PasswordFile(Path path) {
    this.path = path;
  }

  boolean has(String user) throws IOException {
    return Files.exists(path)
        && Files.readAllLines(path, CHARSET).stream().anyMatch(line -> isOf(user, line));
  }

  /**
   * Replaces a user's hash. Other users' lines stay.
   *
   * @param ready called when only the replacement remains to be done; throws to prevent it
   * @return false if the user's hash is not {@code old}
   * @throws FileAlreadyExistsException while another change runs, or if one was killed
   */
  boolean replace(String user, String old, String next, Runnable ready) throws IOException {
    Path file = path.toRealPath();
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    FileChannel channel = FileChannel.open(whole, NEW, OWNER_ONLY);
    boolean isReplaced = false;
    try (channel) {
      List<String> lines = Files.readAllLines(file, CHARSET);
      if (isHash(old, user, lines)) {
        write(channel, with(user, next, lines));
        ready.run();
        Files.setLastModifiedTime(whole, FileTime.from(Instant.now().plus(AHEAD)));
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        isReplaced = true;
      }
    } finally {
      // After the move, a file of this name belongs to another change.
      if (!isReplaced) {
        Files.delete(whole);
      }
    }
    if (isReplaced) {
      sync(file);
    }
    return isReplaced;
  }

  private static boolean isHash(String hash, String user, List<String> lines) {
    return lines.stream()
        .filter(line -> isOf(user, line))
        .reduce((earlier, last) -> last)
        .map(line -> line.substring(user.length() + 1).strip().toLowerCase(Locale.ROOT))
        .filter(found -> MessageDigest.isEqual(found.getBytes(CHARSET), hash.getBytes(CHARSET)))
        .isPresent();
  }

  private static boolean isOf(String user, String line) {
    return line.startsWith(user + "=");
  }

  private static String with(String user, String hash, List<String> lines) {
    return Stream.concat(
            lines.stream().filter(line -> !isOf(user, line)), Stream.of(user + "=" + hash))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(CHARSET));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }

  /** Makes the new name survive a power failure. */
  private static void sync(Path file) throws IOException {
    try (FileChannel directory = FileChannel.open(file.resolveSibling("."))) {
      directory.force(true);
    }
  }
}
