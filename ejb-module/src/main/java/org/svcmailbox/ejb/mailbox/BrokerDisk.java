package org.svcmailbox.ejb.mailbox;

import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The data disk. It also counts as unwritable while the disk of a broker in another process is
 * nearly full.
 */
final class BrokerDisk implements DiskSpace {
  private final DiskSpace ours;
  private volatile boolean isFull;

  BrokerDisk(DiskSpace ours) {
    this.ours = ours;
  }

  /** Records whether the broker's disk is nearly full. Any thread. */
  void isFull(boolean now) {
    isFull = now;
  }

  @Override
  public Room room() {
    if (isFull) {
      throw new UnavailableException("the broker's disk is nearly full");
    }
    return ours.room();
  }
}
