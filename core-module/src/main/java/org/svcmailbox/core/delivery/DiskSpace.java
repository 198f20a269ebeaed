package org.svcmailbox.core.delivery;

import org.svcmailbox.core.problem.UnavailableException;

/** The disk that holds the service's data. */
@FunctionalInterface
public interface DiskSpace {
  /**
   * How much room a disk has.
   *
   * @param free bytes that can still be written
   * @param total bytes in all
   */
  record Room(long free, long total) {}

  /**
   * Asks the disk now. Cheap enough to be asked ten times a second; writes nothing.
   *
   * @throws UnavailableException when the disk cannot be written
   */
  Room room();
}
