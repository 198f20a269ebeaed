package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.rendezvous.OpenDoor;
import org.svcmailbox.it.server.MailboxServer;

/** A start takes its classes from the archive that {@code mailbox-cds} has written. */
@OpenDoor
class ClassArchiveIT {
  @Test
  void theServerMapsItsArchivedClasses(MailboxServer server) throws IOException {
    Path archive = Path.of(System.getProperty("mailbox.server.home"), "cds", "mailbox.jsa");
    assertTrue(server.maps(archive.toRealPath()));
  }
}
