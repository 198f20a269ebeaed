package org.svcmailbox.ejb.capability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A file with one secret in it, such as the operator's capability. It is never there with another
 * content than a whole one, nor readable by anybody but its owner.
 */
public final class OwnersFile {
  private static final String POSIX = "posix";

  private final Path path;

  /** The file of a name, which need not be there. */
  public OwnersFile(Path directory, String name) {
    this.path = directory.resolve(name);
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** The secret in it; empty when there is no file. */
  public Optional<String> read() throws IOException {
    return Files.exists(path)
        ? Optional.of(Files.readString(path, StandardCharsets.US_ASCII).strip())
        : Optional.empty();
  }

  /** Puts a secret in it, in place of the one there was. */
  public void write(String secret) throws IOException {
    Files.createDirectories(path.getParent());
    Path whole =
        Files.createTempFile(path.getParent(), path.getFileName().toString(), ".new", ownerOnly());
    Files.writeString(whole, secret + "\n", StandardCharsets.US_ASCII);
    Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes it, if it is there. */
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
