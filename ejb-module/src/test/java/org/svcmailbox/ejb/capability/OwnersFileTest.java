package org.svcmailbox.ejb.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnersFileTest {
  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsReadAndReplacesWhatWasThere() throws IOException {
    OwnersFile file = new OwnersFile(directory.resolve("new"), "operator.cap");
    assertEquals(Optional.empty(), file.read());
    file.write("first");
    file.write("second");
    assertEquals(Optional.of("second"), file.read());
    try (Stream<Path> all = Files.list(directory.resolve("new"))) {
      assertEquals(List.of(file.path()), all.toList(), "nothing half-written stays");
    }
  }

  @Test
  void onlyItsOwnerCanReadIt() throws IOException {
    OwnersFile file = new OwnersFile(directory, "operator.cap");
    file.write("secret");
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
  }
}
