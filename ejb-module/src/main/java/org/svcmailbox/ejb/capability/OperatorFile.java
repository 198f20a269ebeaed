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
 * The file with the operator's capability. It is never there with another content than a whole
 * capability, nor readable by anybody but its owner.
 */
final class OperatorFile {
  static final String NAME = "operator.cap";
  private static final String POSIX = "posix";

  private final Path path;

  OperatorFile(Path directory) {
    this.path = directory.resolve(NAME);
  }

  Path path() {
    return path;
  }

  /** The capability in it; empty when there is no file. */
  Optional<String> read() throws IOException {
    return Files.exists(path)
        ? Optional.of(Files.readString(path, StandardCharsets.US_ASCII).strip())
        : Optional.empty();
  }

  /** Puts a capability in it, in place of the one there was. */
  void write(String capability) throws IOException {
    Files.createDirectories(path.getParent());
    Path whole = Files.createTempFile(path.getParent(), NAME, ".new", ownerOnly());
    Files.writeString(whole, capability + "\n", StandardCharsets.US_ASCII);
    Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes it, if it is there. */
  void delete() throws IOException {
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
