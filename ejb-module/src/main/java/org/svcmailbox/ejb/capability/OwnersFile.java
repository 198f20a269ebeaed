package org.svcmailbox.ejb.capability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A file with one secret, replaced atomically and readable by its owner only. */
public final class OwnersFile {
  private static final String POSIX = "posix";

  private final Path path;

  /** The file need not exist. */
  public OwnersFile(Path directory, String name) {
    this.path = directory.resolve(name);
  }

  public Path path() {
    return path;
  }

  public Optional<String> read() throws IOException {
    return Files.exists(path)
        ? Optional.of(Files.readString(path, StandardCharsets.US_ASCII).strip())
        : Optional.empty();
  }

  public void write(String secret) throws IOException {
    Files.createDirectories(path.getParent());
    Path whole =
        Files.createTempFile(path.getParent(), path.getFileName().toString(), ".new", ownerOnly());
    Files.writeString(whole, secret + "\n", StandardCharsets.US_ASCII);
    Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  private FileAttribute<?>[] ownerOnly() {
    return path.getFileSystem().supportedFileAttributeViews().contains(POSIX)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
