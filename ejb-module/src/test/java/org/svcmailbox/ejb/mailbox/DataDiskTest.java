package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.bounds.DiskSpace.Room;
import org.svcmailbox.core.problem.UnavailableException;

class DataDiskTest {
  @TempDir private Path directory;

  @Test
  void theRoomIsThatOfTheFileSystem() throws IOException {
    Room room = new DataDisk(directory).room();
    assertEquals(Files.getFileStore(directory).getTotalSpace(), room.total());
    assertTrue(room.free() > 0 && room.free() <= room.total());
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsSaidWithItsReason() {
    Path gone = directory.resolve("gone");
    UnavailableException failure =
        assertThrows(UnavailableException.class, () -> new DataDisk(gone).room());
    String said = String.valueOf(failure.getMessage());
    assertTrue(said.startsWith(gone + " cannot be written: "), said);
  }
}
