package org.svcmailbox.ejb.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.DiskSpace.Room;
import org.svcmailbox.core.problem.UnavailableException;

class BrokerDiskTest {
  private static final Room OURS = new Room(3, 4);

  private final BrokerDisk disk = new BrokerDisk(() -> OURS);

  @Test
  void itIsOursUnlessTheBrokersIsFull() {
    assertEquals(OURS, disk.room());
    disk.isFull(true);
    assertEquals(
        "the broker's disk is nearly full",
        assertThrows(UnavailableException.class, disk::room).getMessage());
    disk.isFull(false);
    assertEquals(OURS, disk.room());
  }
}
